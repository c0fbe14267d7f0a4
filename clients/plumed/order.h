/* SPDX-License-Identifier: Apache-2.0 */
/* Computes Steinhardt's order parameters of atoms: the part of the PLUMED actions MOTE_Q and
 * MOTE_LOCAL_Q that does not depend on PLUMED. */
#ifndef MOTE_CLIENTS_PLUMED_ORDER_H
#define MOTE_CLIENTS_PLUMED_ORDER_H

#include <memory>
#include <vector>

#include "variable.h"

namespace mote_plumed
{

/* Sets group_a, centres and first_neighbour, so that the atoms of a list have order parameters over
 * those of another one, or if this one is empty, over each other. Throws mote::error if a list is
 * empty or contains an atom twice. */
void arrange(const std::vector<unsigned> &of, const std::vector<unsigned> &over, options &given);

/* An array of real numbers on a device. */
class device_array
{
  public:
    device_array(const mote::context &context, size_t count);
    mote_view view() const;
    void write(cl_command_queue queue, const double *from);
    void read(cl_command_queue queue, double *to) const;

  private:
    struct release {
        void operator()(mote_buffer *buffer) const
        {
            mote_buffer_release(buffer);
        }
    };
    std::unique_ptr<mote_buffer, release> buffer_;
};

/* The order parameters of the atoms of group_a, which are the entries. */
class order : public variable
{
  public:
    explicit order(const options &given);

    /* The kernels are those of all boxes. */
    bool prepare(mote_pbc shape) override;

    void numbers(const double *positions, const double *box, double *numbers) override;
    void weighted(const double *positions, const double *box, const double *weights,
                  double *derivatives, double *virial, double *numbers) override;
    bool gives_numbers() const override
    {
        return true;
    }

  private:
    mote_steinhardt_args call_args(bool weighted) const;
    void run(const double *positions, const double *box, bool weighted, double *numbers);

    mote::queue queue_;
    mote_switch local_function_;
    unsigned l_;
    bool local_, prepared_ = false;
    size_t centres_, first_neighbour_;
    device_array positions_, weights_, numbers_, derivatives_, virial_;
    mote::error_word error_;
};

} // namespace mote_plumed

#endif
