// SPDX-License-Identifier: Apache-2.0
#include "expression.h"

#include <cmath>
#include <cstdio>

#include <lepton/Operation.h>
#include <mote/mote.hpp>

namespace mote_openmm
{

namespace
{

using Lepton::ExpressionTreeNode;
using Lepton::Operation;
using names = std::map<std::string, std::string>;

/* $1, $2 and $3 stand for the operands; comparisons give 0 or 1. */
const std::map<Operation::Id, const char *> forms = {
    {Operation::ADD, "($1 + $2)"},
    {Operation::SUBTRACT, "($1 - $2)"},
    {Operation::MULTIPLY, "($1 * $2)"},
    {Operation::DIVIDE, "($1 / $2)"},
    {Operation::POWER, "pow($1, $2)"},
    {Operation::NEGATE, "(-$1)"},
    {Operation::SQRT, "sqrt($1)"},
    {Operation::EXP, "exp($1)"},
    {Operation::LOG, "log($1)"},
    {Operation::SIN, "sin($1)"},
    {Operation::COS, "cos($1)"},
    {Operation::SEC, "(1 / cos($1))"},
    {Operation::CSC, "(1 / sin($1))"},
    {Operation::TAN, "tan($1)"},
    {Operation::COT, "(1 / tan($1))"},
    {Operation::ASIN, "asin($1)"},
    {Operation::ACOS, "acos($1)"},
    {Operation::ATAN, "atan($1)"},
    {Operation::ATAN2, "atan2($1, $2)"},
    {Operation::SINH, "sinh($1)"},
    {Operation::COSH, "cosh($1)"},
    {Operation::TANH, "tanh($1)"},
    {Operation::ERF, "erf($1)"},
    {Operation::ERFC, "erfc($1)"},
    {Operation::STEP, "((wide)($1 >= 0))"},
    {Operation::DELTA, "((wide)($1 == 0))"},
    {Operation::SQUARE, "square($1)"},
    {Operation::CUBE, "cube($1)"},
    {Operation::RECIPROCAL, "(1 / $1)"},
    {Operation::MIN, "fmin($1, $2)"},
    {Operation::MAX, "fmax($1, $2)"},
    {Operation::ABS, "fabs($1)"},
    {Operation::FLOOR, "floor($1)"},
    {Operation::CEIL, "ceil($1)"},
    {Operation::SELECT, "($1 != 0 ? $2 : $3)"},
};

/* The literal always has an exponent, so that it is a floating-point literal. */
std::string literal(double number)
{
    char digits[48];
    if (!std::isfinite(number))
        throw mote::error(MOTE_ERROR_INVALID_ARGUMENT,
                          "the energy or its derivative has a number that is not finite");
    std::snprintf(digits, sizeof(digits), "((wide)%.17e)", number);
    for (char &c : digits)
        c = c == ',' ? '.' : c; /* of some locales */
    return digits;
}

std::string power(const std::string &base, double exponent)
{
    if (exponent == std::floor(exponent) && std::fabs(exponent) < 1e6)
        return "pown(" + base + ", " + std::to_string(static_cast<int>(exponent)) + ")";
    return "pow(" + base + ", " + literal(exponent) + ")";
}

std::string fill(const char *form, const std::vector<std::string> &operands)
{
    std::string text;
    for (; *form; form++) {
        if (*form == '$')
            text += operands.at(static_cast<size_t>(*++form - '1'));
        else
            text += *form;
    }
    return text;
}

std::string write(const ExpressionTreeNode &node, const names &of)
{
    const Operation &operation = node.getOperation();
    std::vector<std::string> operands;
    for (const ExpressionTreeNode &child : node.getChildren())
        operands.push_back(write(child, of));
    switch (operation.getId()) {
    case Operation::CONSTANT:
        return literal(dynamic_cast<const Operation::Constant &>(operation).getValue());
    case Operation::VARIABLE:
        return of.at(operation.getName());
    case Operation::ADD_CONSTANT: {
        const double added = dynamic_cast<const Operation::AddConstant &>(operation).getValue();
        return "(" + operands[0] + " + " + literal(added) + ")";
    }
    case Operation::MULTIPLY_CONSTANT: {
        const auto &product = dynamic_cast<const Operation::MultiplyConstant &>(operation);
        return "(" + operands[0] + " * " + literal(product.getValue()) + ")";
    }
    case Operation::POWER_CONSTANT:
        return power(operands[0],
                     dynamic_cast<const Operation::PowerConstant &>(operation).getValue());
    default:
        return fill(forms.at(operation.getId()), operands);
    }
}

} // namespace

std::string opencl_text(const Lepton::ParsedExpression &expression, const names &of)
{
    return write(expression.getRootNode(), of);
}

} // namespace mote_openmm
