/* SPDX-License-Identifier: Apache-2.0 */
/* A collective variable that is a function of one number of each atom: the interface of the actions
 * to the parts that do not depend on PLUMED. */
#ifndef MOTE_CLIENTS_PLUMED_VARIABLE_H
#define MOTE_CLIENTS_PLUMED_VARIABLE_H

#include <memory>
#include <string>
#include <vector>

#include <mote/mote.hpp>

namespace mote_plumed
{

/* Returns an error of an action's input, to be thrown. */
inline mote::error wrong(const std::string &sentence)
{
    return mote::error(MOTE_ERROR_INVALID_ARGUMENT, sentence);
}

/* The parameters of an action in the input. Lengths have the unit of the positions. */
struct options {
    std::vector<unsigned> group_a, group_b; /* atoms by their numbers in the simulation */
    bool pair = false;
    bool pbc = true;
    std::string function; /* the words of SWITCH; if empty, the following five numbers define the
                             function */
    double r_0 = 0.0, d_0 = 0.0;
    double d_max = 0.0; /* 0: automatic */
    int nn = 6, mm = 0;
    /* A string as for mote_context_open(); rank K uses the K-th of several words. */
    std::string device;
    std::string precision; /* double, mixed or single; empty: double if the device supports it */
    double skin = 0.0;     /* above 0: GPUs keep lists of partners from step to step */
    unsigned rank = 0;     /* chooses among several devices */
    unsigned shares = 1;   /* if above 1: compute the share number `rank` of the pairs */
    bool of_atoms = false; /* numbers() and weighted() are used instead of compute() */
    unsigned l = 0;        /* order parameters: their degree, else 0 */
    bool local = false;    /* their averages over neighbours */
    std::string local_function; /* the words of the function of these averages; empty: `function` */
    /* The first `centres` atoms of group_a have order parameters; those from `first_neighbour` on
     * are neighbours. */
    size_t centres = 0, first_neighbour = 0;
};

/* Every function throws mote::error. Threads: one at a time. */
class variable
{
  public:
    virtual ~variable() = default;

    /* Builds the kernels for boxes of a shape; returns false if they existed. */
    virtual bool prepare(mote_pbc shape) = 0;

    /* Computes the number of each entry. */
    virtual void numbers(const double *positions, const double *box, double *numbers) = 0;

    /* Computes derivatives and virial of a function of these numbers, given its derivative by each.
     * positions are those of the last call of numbers() and must be unchanged, or if
     * gives_numbers(), any; the numbers are then also computed. */
    virtual void weighted(const double *positions, const double *box, const double *weights,
                          double *derivatives, double *virial, double *numbers) = 0;
    virtual bool gives_numbers() const = 0;

    /* Returns the shape of the box of a step, which is none if the input has NOPBC. */
    mote_pbc shape(const double *box) const;

    /* Completed. */
    const mote_switch &function() const
    {
        return function_;
    }
    const mote::context &context() const
    {
        return *context_;
    }
    mote_precision precision() const
    {
        return precision_;
    }

  protected:
    explicit variable(const options &given);

    mote_switch function_;
    bool pbc_;
    std::shared_ptr<const mote::context> context_; /* outlives host, plans and buffers */
    mote_precision precision_;
};

/* Returns the shape of a box of nine numbers, rows = lattice vectors, by PLUMED's rule. All 0:
 * none. */
mote_pbc shape_of(const double *box);

/* Returns the words between commas, without blanks around them; an empty text has none. */
std::vector<std::string> split(const std::string &text);

} // namespace mote_plumed

#endif
