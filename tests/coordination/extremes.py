#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes switching functions at the extremes of D_0, D_MAX and their parameters, with values and
derivatives by their definition in decimal arithmetic of as many digits as that takes:

    extremes.py OUTPUT

What definitions subtract there agrees in all digits of double precision, or does not fit into it.
"""

import functools
import math
import sys
from decimal import Decimal as D, getcontext

getcontext().prec = 600
getcontext().Emax, getcontext().Emin = 10**15, -10**15

# Returns a place between max(d_0, 0) and d_max.
PARTS = [0.03125, 0.5, 0.9990234375]


def pi():
    total, k, sign = D(0), 0, 1  # Machin
    for scale, x in ((16, 5), (-4, 239)):
        term, k = D(scale) / x, 0
        while abs(term) > D(10)**-(getcontext().prec + 10):
            total += term / (2 * k + 1)
            term, k = -term / (x * x), k + 1
    return total


PI = pi()


def sin_cos(x):
    s, c, term, k = D(0), D(0), D(1), 0
    while abs(term) > D(10)**-(getcontext().prec + 10) or k < 10:
        if k % 2:
            s += term if k % 4 == 1 else -term
        else:
            c += term if k % 4 == 0 else -term
        k += 1
        term *= x / k
    return s, c


def power(x, n):
    return x**n if n == int(n) else (x.ln() * n).exp()


def rational(f, x):
    n = int(f.get("nn", 6))
    m = int(f.get("mm", 2 * n))
    if x == 1:
        return D(n) / m, D(n) * (n - m) / (2 * m)
    top, bottom = 1 - x**n, 1 - x**m
    return top / bottom, (m * x**(m - 1) * top / bottom - n * x**(n - 1)) / bottom


def smap(f, x):
    a, b = D(f["a"]), D(f["b"])
    c = (D(2).ln() * a / b).exp() - 1
    inside = 1 + c * power(x, a)
    value = (inside.ln() * -b / a).exp()
    return value, -b * c * power(x, a - 1) * value / inside


def tanh(f, x):
    e = (-2 * x).exp()
    return 2 * e / (1 + e), -4 * e / (1 + e)**2


def cosinus(f, x):
    if x > 1:
        return D(0), D(0)
    s, c = sin_cos(PI * x)
    return (c + 1) / 2, -PI * s / 2


def exponential(f, x):
    return (-x).exp(), -(-x).exp()


def gaussian(f, x):
    return (-x * x / 2).exp(), -x * (-x * x / 2).exp()


def cubic(f, x):
    return (x - 1)**2 * (1 + 2 * x), 6 * x * (x - 1)


KINDS = {"RATIONAL": rational, "EXP": exponential, "GAUSSIAN": gaussian, "SMAP": smap, "CUBIC": cubic,
         "TANH": tanh, "COSINUS": cosinus}


@functools.lru_cache(maxsize=None)
def falling(x, digits):
    """The value is e^-x; Q with another d_0 has it at the same distances."""
    return (-x).exp()


def raw(f, r):
    d_0 = D(f.get("d_0", 0.0))
    if r <= d_0:
        return D(1), D(0)
    if f["kind"] == "Q":
        beta, middle = D(f.get("beta", 50.0)), D(f.get("lambda", 1.8)) * D(f["ref"])
        e = falling(beta * (r - middle), getcontext().prec)
        return e / (1 + e), -beta * e / (1 + e)**2
    r_0 = D(f["d_max"]) - d_0 if f["kind"] == "CUBIC" else D(f["r_0"])
    value, slope = KINDS[f["kind"]](f, (r - d_0) / r_0)
    return value, slope / r_0


def stretched(f, distances):
    """Returns the number of digits that 1 - f needs: e^-z for Q, the largest power of x for others."""
    if f["kind"] == "Q":
        lost = f["beta"] * f["lambda"] * f["ref"] / math.log(10)
    else:
        x = (f["d_max"] - f["d_0"]) / f.get("r_0", 1.0)
        lost = max(f.get("nn", 6), f.get("mm", 12), f.get("a", 2)) * abs(math.log10(x))
    getcontext().prec = 60 + int(lost)
    first, last = raw(f, D(0))[0], raw(f, D(f["d_max"]))[0]
    for r in distances:
        value, slope = raw(f, D(r))
        yield r, (value - last) / (first - last), slope / (first - last)


def functions():
    """The cases have d_max far below and above r_0, d_0 far below, near and far above 0, and extreme parameters."""
    for part in (1e-9, 0.02, 0.9, 30.0):
        for d_0 in (0.0, -1e-6, -0.3, -1e3):
            kinds = [{"kind": "EXP"}, {"kind": "GAUSSIAN"}, {"kind": "TANH"}, {"kind": "COSINUS"},
                     {"kind": "RATIONAL"}, {"kind": "RATIONAL", "nn": 1, "mm": 2},
                     {"kind": "RATIONAL", "nn": 40, "mm": 80},
                     {"kind": "RATIONAL", "nn": 11, "mm": 12}, {"kind": "RATIONAL", "nn": 1, "mm": 60},
                     {"kind": "RATIONAL", "nn": 3, "mm": 7},
                     {"kind": "SMAP", "a": 0.25, "b": 3.0}, {"kind": "SMAP", "a": 12.0, "b": 0.01},
                     {"kind": "SMAP", "a": 3.0, "b": 2e6}, {"kind": "SMAP", "a": 5.0, "b": 2.0}]
            kinds += [{"kind": "RATIONAL", "nn": 12, "mm": 11}, {"kind": "RATIONAL", "nn": 9, "mm": 6}]
            for kind in kinds:
                f = dict(kind, r_0=0.75, d_0=d_0, d_max=max(d_0, 0.0) + 0.75 * part)
                far = 1 + max(0.0, -d_0) / 0.75
                if kind["kind"] == "COSINUS" and far >= 2.0:
                    continue  # 0 everywhere
                if kind["kind"] == "RATIONAL" and kind.get("mm", 12) != 2 * kind.get("nn", 6):
                    falls = kind["mm"] - kind["nn"]
                    if far**-falls < 1e-20 or far**-falls > 1e25:
                        continue  # refused
                yield f
    for part in (1e-9, 0.1, 1e3):
        for d_0 in (-1e-6, -0.5, -1e5, 0.25):
            yield {"kind": "CUBIC", "d_0": d_0, "d_max": max(d_0, 0.0) + part}
    for beta, ref, lam in ((50.0, 0.67, 2.03), (50.0, 0.7, 1.3), (50.0, 9.0, 1.8), (1e-3, 0.5, 1.8),
                           (3.0, 0.1, 1.0), (1e4, 0.3, 1.0)):
        for d_max in (1e-4, 0.1, 0.65, 0.836, 3.0):
            for d_0 in (0.0, 0.05, -0.2, -100.0):
                if d_max > d_0:
                    yield {"kind": "Q", "r_0": 0.1, "beta": beta, "ref": ref, "lambda": lam,
                           "d_0": d_0, "d_max": d_max}


def main():
    with open(sys.argv[1], "w", encoding="ascii") as out:
        out.write("/* Made by extremes.py: functions, distances, values and derivatives. */\n")
        for f in functions():
            start, end = max(f.get("d_0", 0.0), 0.0), f["d_max"]
            fields = ", ".join(f".{key} = {value!r}" for key, value in f.items() if key != "kind")
            points = [f"{{{r!r}, {float(value)!r}, {float(slope)!r}}}"
                      for r, value, slope in stretched(f, [start + p * (end - start) for p in PARTS])]
            out.write(f"{{{{.size = sizeof(mote_switch), .kind = MOTE_SWITCH_{f['kind']}, {fields}}},\n"
                      f" {{{', '.join(points)}}}}},\n")


if __name__ == "__main__":
    main()
