/* SPDX-License-Identifier: Apache-2.0 */
#include "variable.h"

#include <algorithm>
#include <map>
#include <mutex>

namespace mote_plumed
{

namespace
{

/* PLUMED treats values whose square root is below its limit as 0. */
constexpr double small_square = 1e-28;

/* Variables on one device share a context, and therefore its kernels. */
std::shared_ptr<const mote::context> open_context(const std::string &device)
{
    static std::mutex lock;
    static std::map<std::string, std::weak_ptr<const mote::context>> contexts;
    const std::lock_guard<std::mutex> held(lock);
    std::shared_ptr<const mote::context> context = contexts[device].lock();
    if (!context) {
        context = std::make_shared<const mote::context>(device);
        contexts[device] = context;
    }
    return context;
}

std::string device_of(const options &given)
{
    const std::vector<std::string> devices = split(given.device);
    return devices.empty() ? std::string() : devices[given.rank % devices.size()];
}

mote_precision read_precision(const std::string &word, const mote::context &context)
{
    std::string names;
    if (word.empty())
        return context.device().has_fp64 ? MOTE_PRECISION_DOUBLE : MOTE_PRECISION_MIXED;
    for (int k = 0; const char *name = mote_precision_name(static_cast<mote_precision>(k)); k++) {
        if (word == name)
            return static_cast<mote_precision>(k);
        names += std::string(k ? ", " : "") + name;
    }
    throw wrong("PRECISION=" + word + " is none of " + names);
}

mote_switch read_function(const options &given)
{
    if (!given.function.empty())
        return mote::switch_parse(given.function);
    auto function = mote::init<mote_switch>();
    function.r_0 = given.r_0;
    function.d_0 = given.d_0;
    function.d_max = given.d_max;
    function.nn = given.nn;
    function.mm = given.mm;
    mote::check(mote_switch_complete(&function));
    return function;
}

} // namespace

mote_pbc shape_of(const double *box)
{
    const auto vanish = [box](int i, int j) {
        return box[i] * box[i] < small_square && box[j] * box[j] < small_square;
    };
    if (std::all_of(box, box + 9, [](double length) { return length == 0.0; }))
        return MOTE_PBC_NONE;
    return vanish(1, 3) && vanish(2, 6) && vanish(5, 7) ? MOTE_PBC_ORTHORHOMBIC
                                                        : MOTE_PBC_TRICLINIC;
}

std::vector<std::string> split(const std::string &text)
{
    static const char blanks[] = " \t";
    std::vector<std::string> words;
    for (size_t begin = 0, end = 0; begin <= text.size(); begin = end + 1) {
        end = std::min(text.find(',', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        const size_t first = word.find_first_not_of(blanks);
        if (first != std::string::npos)
            words.push_back(word.substr(first, word.find_last_not_of(blanks) - first + 1));
    }
    return words;
}

variable::variable(const options &given)
    : function_(read_function(given)), pbc_(given.pbc), context_(open_context(device_of(given))),
      precision_(read_precision(given.precision, *context_))
{
}

mote_pbc variable::shape(const double *box) const
{
    return pbc_ ? shape_of(box) : MOTE_PBC_NONE;
}

} // namespace mote_plumed
