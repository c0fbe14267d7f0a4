/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the coordination numbers of single atoms, as PLUMED's multicolvars have them. */
#ifndef MOTE_CLIENTS_PLUMED_NUMBERS_H
#define MOTE_CLIENTS_PLUMED_NUMBERS_H

#include <functional>
#include <string>
#include <vector>

namespace mote_plumed
{

/* Returns the value for some numbers, of which there is at least one, and writes its derivative by
 * each to `weights`, which is as long. */
using number_function = std::function<double(const std::vector<double> &numbers, double *weights)>;

/* The functions that have no parameters: MEAN, SUM, LOWEST, HIGHEST. */
number_function simple_function(const std::string &keyword);

/* LESS_THAN, MORE_THAN: words of a switching function; BETWEEN: GAUSSIAN LOWER= UPPER= SMEAR=; MIN,
 * MAX, ALT_MIN: BETA=. Throws mote::error with a sentence that begins with the keyword. */
number_function function_with(const std::string &keyword, const std::string &words);

/* The mean of (n - mean)^power, power at least 2; else throws mote::error. */
number_function central_moment(int power);

/* The words of BETWEEN for each bin of HISTOGRAM: GAUSSIAN NBINS= LOWER= UPPER= SMEAR=, with
 * 1 to 10000 bins. Else throws mote::error. */
std::vector<std::string> bins_of(const std::string &words);

} // namespace mote_plumed

#endif
