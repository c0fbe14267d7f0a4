/* SPDX-License-Identifier: Apache-2.0 */
#include "numbers.h"
#include "variable.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <locale>
#include <numeric>
#include <sstream>

namespace mote_plumed
{

namespace
{

using vector = std::vector<double>;

constexpr double most_bins = 1e4;

double sum_of(const vector &numbers)
{
    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

/* ---- words --------------------------------------------------------------------------------- */

std::vector<std::string> words_of(const std::string &text)
{
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    return words;
}

/* Removes NAME=number from the words; returns `otherwise` if there is none, or throws if
 * `otherwise` is NaN.
 */
double take(const std::string &keyword, std::vector<std::string> &words, const std::string &name,
            double otherwise = std::numeric_limits<double>::quiet_NaN())
{
    const auto found = std::find_if(words.begin(), words.end(), [&](const std::string &word) {
        return word.compare(0, name.size() + 1, name + "=") == 0;
    });
    if (found == words.end() && std::isnan(otherwise))
        throw wrong(keyword + " needs " + name);
    if (found == words.end())
        return otherwise;
    std::istringstream stream(found->substr(name.size() + 1));
    stream.imbue(std::locale::classic());
    double value;
    if (!(stream >> value) || !stream.eof() || !std::isfinite(value))
        throw wrong(keyword + ": " + *found + " is not a finite number");
    words.erase(found);
    return value;
}

void check_taken(const std::string &keyword, const std::vector<std::string> &words)
{
    if (!words.empty())
        throw wrong(keyword + ": unknown word " + words.front());
}

/* Returns the words after the name of the kernel with which PLUMED smears values. */
std::vector<std::string> words_behind_kernel(const std::string &keyword, const std::string &text)
{
    std::vector<std::string> words = words_of(text);
    if (words.empty() || words.front() != "GAUSSIAN")
        throw wrong(keyword +
                    " begins with GAUSSIAN, the one kernel that there is, but here with " +
                    (words.empty() ? "nothing" : words.front()));
    words.erase(words.begin());
    return words;
}

/* ---- functions ----------------------------------------------------------------------------- */

double mean(const vector &numbers, double *weights)
{
    const double count = static_cast<double>(numbers.size());
    std::fill_n(weights, numbers.size(), 1.0 / count);
    return sum_of(numbers) / count;
}

double sum(const vector &numbers, double *weights)
{
    std::fill_n(weights, numbers.size(), 1.0);
    return sum_of(numbers);
}

double extreme(const vector &numbers, vector::const_iterator found, double *weights)
{
    std::fill_n(weights, numbers.size(), 0.0);
    weights[found - numbers.begin()] = 1.0;
    return *found;
}

/* Returns the share of a number that is `away` from the extreme one, whose share is 1 whatever the
 * rate. */
double share_of(double rate, double away)
{
    return away == 0.0 ? 1.0 : std::exp(rate * away);
}

/* Divides the shares by their sum, so that they add up to 1; returns the logarithm of the sum. */
double normalize(double *shares, size_t count)
{
    const double total = std::accumulate(shares, shares + count, 0.0);
    for (size_t k = 0; k < count; k++)
        shares[k] /= total;
    return std::log(total);
}

/* Returns beta / log(sum of exp(beta / n)), or 0 if one of the numbers is 0. The formula uses beta
 * / n = beta / least - steep (n - least) / n, where steep = beta / least may be infinite. */
double smooth_min(const vector &numbers, double *weights, double beta)
{
    const size_t count = numbers.size();
    const double least = *std::min_element(numbers.begin(), numbers.end()), steep = beta / least;
    if (least <= 0.0) {
        std::fill_n(weights, count, 0.0);
        return 0.0;
    }
    for (size_t k = 0; k < count; k++)
        weights[k] = share_of(-steep, (numbers[k] - least) / numbers[k]);
    const double more = normalize(weights, count);
    const double value = more > 0.0 ? least / (1.0 + more / steep) : least;
    for (size_t k = 0; k < count; k++)
        weights[k] *= value / numbers[k] * (value / numbers[k]);
    return value;
}

/* Returns log(sum of exp(rate n)) / rate, which is near the largest number, or for a rate below 0
 * near the smallest. */
double smooth_extreme(const vector &numbers, double *weights, double rate)
{
    const auto ends = std::minmax_element(numbers.begin(), numbers.end());
    const double extreme = rate > 0.0 ? *ends.second : *ends.first;
    for (size_t k = 0; k < numbers.size(); k++)
        weights[k] = share_of(rate, numbers[k] - extreme);
    return extreme + normalize(weights, numbers.size()) / rate;
}

/* Of s(n), or of 1 - s(n). */
double switched(const vector &numbers, double *weights, const mote_switch &function, bool more)
{
    double total = 0.0;
    for (size_t k = 0; k < numbers.size(); k++) {
        double slope = 0.0;
        const double s = mote_switch_value(&function, std::max(numbers[k], 0.0), &slope);
        total += more ? 1.0 - s : s;
        weights[k] = more ? -slope : slope;
    }
    return total;
}

/* Returns the sum of the parts of normal distributions of this width about each number that are
 * within the limits. */
double between(const vector &numbers, double *weights, double lower, double upper, double width)
{
    const double root = std::sqrt(2.0) * width, area = std::sqrt(std::acos(-1.0)) * root;
    double total = 0.0;
    for (size_t k = 0; k < numbers.size(); k++) {
        const double low = (lower - numbers[k]) / root, high = (upper - numbers[k]) / root;
        total += 0.5 * (std::erf(high) - std::erf(low));
        weights[k] = (std::exp(-low * low) - std::exp(-high * high)) / area;
    }
    return total;
}

double moment(const vector &numbers, double *weights, int power)
{
    const double count = static_cast<double>(numbers.size()), middle = sum_of(numbers) / count;
    double total = 0.0, slopes = 0.0;
    for (size_t k = 0; k < numbers.size(); k++) {
        const double away = numbers[k] - middle, below = std::pow(away, power - 1);
        total += below * away;
        slopes += weights[k] = power * below / count;
    }
    for (size_t k = 0; k < numbers.size(); k++)
        weights[k] -= slopes / count; /* the mean depends on each number, too */
    return total / count;
}

number_function make_between(const std::string &words)
{
    std::vector<std::string> rest = words_behind_kernel("BETWEEN", words);
    const double lower = take("BETWEEN", rest, "LOWER"), upper = take("BETWEEN", rest, "UPPER");
    const double width = take("BETWEEN", rest, "SMEAR", 0.5) * (upper - lower);
    check_taken("BETWEEN", rest);
    if (!(lower < upper) || !(width > 0.0))
        throw wrong("BETWEEN: LOWER must be below UPPER, and SMEAR above 0");
    return [=](const vector &numbers, double *weights) {
        return between(numbers, weights, lower, upper, width);
    };
}

number_function make_smooth(const std::string &keyword, const std::string &words)
{
    std::vector<std::string> rest = words_of(words);
    const double beta = take(keyword, rest, "BETA");
    check_taken(keyword, rest);
    if (!(beta > 0.0))
        throw wrong(keyword + ": BETA must be above 0");
    if (keyword == "MIN")
        return [=](const vector &numbers, double *weights) {
            return smooth_min(numbers, weights, beta);
        };
    const double rate = keyword == "MAX" ? 1.0 / beta : -beta;
    return [=](const vector &numbers, double *weights) {
        return smooth_extreme(numbers, weights, rate);
    };
}

number_function make_switched(const std::string &keyword, const std::string &words)
{
    try {
        const mote_switch function = mote::switch_parse(words);
        const bool more = keyword == "MORE_THAN";
        return [=](const vector &numbers, double *weights) {
            return switched(numbers, weights, function, more);
        };
    } catch (const mote::error &found) {
        throw wrong(keyword + ": " + found.what());
    }
}

} // namespace

number_function simple_function(const std::string &keyword)
{
    if (keyword == "MEAN")
        return mean;
    if (keyword == "SUM")
        return sum;
    if (keyword == "LOWEST")
        return [](const vector &numbers, double *weights) {
            return extreme(numbers, std::min_element(numbers.begin(), numbers.end()), weights);
        };
    if (keyword == "HIGHEST")
        return [](const vector &numbers, double *weights) {
            return extreme(numbers, std::max_element(numbers.begin(), numbers.end()), weights);
        };
    throw wrong("there is no function " + keyword);
}

number_function function_with(const std::string &keyword, const std::string &words)
{
    if (keyword == "LESS_THAN" || keyword == "MORE_THAN")
        return make_switched(keyword, words);
    if (keyword == "BETWEEN")
        return make_between(words);
    if (keyword == "MIN" || keyword == "MAX" || keyword == "ALT_MIN")
        return make_smooth(keyword, words);
    throw wrong("there is no function " + keyword);
}

number_function central_moment(int power)
{
    if (power < 2)
        throw wrong("MOMENTS: there is no moment " + std::to_string(power) + ", they begin at 2");
    return [=](const vector &numbers, double *weights) { return moment(numbers, weights, power); };
}

std::vector<std::string> bins_of(const std::string &words)
{
    std::vector<std::string> rest = words_behind_kernel("HISTOGRAM", words), bins;
    const double count = take("HISTOGRAM", rest, "NBINS");
    const double lower = take("HISTOGRAM", rest, "LOWER"), upper = take("HISTOGRAM", rest, "UPPER");
    const double smear = take("HISTOGRAM", rest, "SMEAR", 0.5);
    check_taken("HISTOGRAM", rest);
    if (!(count >= 1.0 && count <= most_bins) || count != std::floor(count) || !(lower < upper))
        throw wrong("HISTOGRAM: NBINS must be a whole number from 1 to 10000, LOWER below UPPER");
    for (double bin = 0.0; bin < count; bin++) {
        std::ostringstream text;
        text.imbue(std::locale::classic());
        text.precision(17);
        text << "GAUSSIAN LOWER=" << lower + bin * (upper - lower) / count
             << " UPPER=" << lower + (bin + 1.0) * (upper - lower) / count << " SMEAR=" << smear;
        bins.push_back(text.str());
    }
    return bins;
}

} // namespace mote_plumed
