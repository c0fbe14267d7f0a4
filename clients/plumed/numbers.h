/* SPDX-License-Identifier: Apache-2.0 */
/* Computes functions of the coordination numbers of single atoms, as PLUMED's multicolvars do. */
#ifndef MOTE_CLIENTS_PLUMED_NUMBERS_H
#define MOTE_CLIENTS_PLUMED_NUMBERS_H

#include <functional>
#include <string>
#include <vector>

namespace mote_plumed
{

/* Returns the value for some numbers, of which there is at least one, and writes its derivative by
 * each to `weights`, which has the same length. */
using number_function = std::function<double(const std::vector<double> &numbers, double *weights)>;

/* Returns one of the functions that have no parameters: MEAN, SUM, LOWEST, HIGHEST. */
number_function simple_function(const std::string &keyword);

/* The words are those of a switching function for LESS_THAN and MORE_THAN, GAUSSIAN LOWER= UPPER=
 * SMEAR= for BETWEEN, and BETA= for MIN, MAX and ALT_MIN. Throws mote::error with a message that
 * begins with the keyword. */
number_function function_with(const std::string &keyword, const std::string &words);

/* Returns the mean of (n - mean)^power; throws mote::error if power is below 2. */
number_function central_moment(int power);

/* Returns the words of BETWEEN for each bin of HISTOGRAM: GAUSSIAN NBINS= LOWER= UPPER= SMEAR=,
 * with 1 to 10000 bins. Throws mote::error for other words. */
std::vector<std::string> bins_of(const std::string &words);

} // namespace mote_plumed

#endif
