# SPDX-License-Identifier: Apache-2.0
"""Compares mote.steinhardt with plain NumPy, finite differences, scipy's harmonics, and freud."""

import math

import mote
import numpy
import pytest

TILTED = numpy.array([[9.0, 0, 0], [4.0, 8.0, 0], [-3.0, 2.5, 7.0]])
SWITCH = "RATIONAL R_0=2 NN=8 D_MAX=3"


def switched(r):
    """The switching function, stretched."""
    s, end = 1 / (1 + (r / 2) ** 8), 1 / (1 + 1.5 ** 8)
    return numpy.where(r < 3, (s - end) / (1 - end), 0)


def components(positions, l, box):
    """q_lm of all entries, by scipy's spherical harmonics."""
    special = pytest.importorskip("scipy.special")
    if not hasattr(special, "sph_harm_y"):
        pytest.skip("scipy has no sph_harm_y")
    pairs = mote.neighbours(positions, 3.0, box)
    polar = numpy.arccos(pairs.D[:, 2] / pairs.d)
    around = numpy.arctan2(pairs.D[:, 1], pairs.D[:, 0])
    q = numpy.zeros((len(positions), 2 * l + 1), complex)
    for m in range(-l, l + 1):
        numpy.add.at(q[:, m + l], pairs.i, switched(pairs.d) * special.sph_harm_y(l, m, polar, around))
    weights = numpy.bincount(pairs.i, switched(pairs.d), len(positions))
    return q / numpy.where(weights, weights, 1)[:, None], pairs, weights


@pytest.mark.parametrize("l", [3, 4, 6])
def test_like_scipy(rng, l):
    positions = rng.random((60, 3)) @ TILTED
    q, pairs, weights = components(positions, l, TILTED)
    found = mote.steinhardt(positions, l, SWITCH, TILTED, components=True)
    assert found.components.dtype == complex and found.derivatives is found.virial is None
    assert numpy.allclose(found.components, q, rtol=0, atol=1e-13)
    norm = numpy.sqrt((abs(q) ** 2).sum(axis=1))
    assert numpy.allclose(found.order, norm, rtol=0, atol=1e-13)
    assert found.value == pytest.approx(norm.mean(), abs=1e-13)
    unit = q / norm[:, None]
    products = (unit[pairs.i].conj() * unit[pairs.j]).sum(axis=1).real
    local = numpy.bincount(pairs.i, switched(pairs.d) * products) / weights
    assert numpy.allclose(mote.steinhardt(positions, l, SWITCH, TILTED, local=True).order, local,
                          rtol=0, atol=1e-12)


def test_sums_of_functions(rng):
    positions, weights = rng.random((50, 3)) @ TILTED, rng.random(50)
    order = mote.steinhardt(positions, 6, SWITCH, TILTED).order
    below = 1 / (1 + (order / 0.5) ** 6)
    for reduction, terms in (("sum", order), ("mean", order / 50), ("less_than", below),
                             ("more_than", 1 - below)):
        threshold = "RATIONAL R_0=0.5" if "than" in reduction else None
        found = mote.steinhardt(positions, 6, SWITCH, TILTED, reduction=reduction,
                                threshold=threshold, weights=weights)
        assert found.value == pytest.approx((weights * terms).sum(), rel=1e-12), reduction


@pytest.mark.parametrize("local", [False, True])
def test_derivatives(rng, local):
    """Finite differences of the value, of a strained box, and by weights of a second call."""
    positions = rng.random((30, 3)) @ TILTED
    options = {"local": local, "reduction": "more_than", "threshold": "RATIONAL R_0=0.4"}
    found = mote.steinhardt(positions, 4, SWITCH, TILTED, derivatives=True, **options)

    def value(points, box):
        return mote.steinhardt(points, 4, SWITCH, box, **options).value

    for i, axis in ((0, 0), (7, 1), (29, 2)):
        step = numpy.zeros((30, 3))
        step[i, axis] = 1e-5
        slope = (value(positions + step, TILTED) - value(positions - step, TILTED)) / 2e-5
        assert found.derivatives[i, axis] == pytest.approx(slope, abs=1e-7)
    for row, column in ((0, 0), (1, 2), (2, 1)):
        strain = numpy.zeros((3, 3))
        strain[row, column] = 1e-5
        more, less = numpy.eye(3) + strain, numpy.eye(3) - strain
        slope = (value(positions @ more, TILTED @ more) - value(positions @ less, TILTED @ less)) / 2e-5
        assert found.virial[row, column] == pytest.approx(-slope, abs=1e-6)
    assert numpy.allclose(found.derivatives.sum(axis=0), 0, atol=1e-12)
    x = numpy.maximum(found.order, 0)
    slopes = 6 * x ** 5 / 0.4 ** 6 / (1 + (x / 0.4) ** 6) ** 2
    again = mote.steinhardt(positions, 4, SWITCH, TILTED, local=local, reduction="sum",
                            weights=slopes, derivatives=True)
    assert numpy.allclose(again.derivatives, found.derivatives, rtol=0, atol=1e-12)
    assert numpy.allclose(again.virial, found.virial, rtol=0, atol=1e-11)


def test_moments(rng):
    """Central moments, and their derivatives by weights of a second call."""
    positions, options = rng.random((40, 3)) @ TILTED, {"local": True, "local_switch": "CUBIC D_0=1 D_MAX=2.5"}
    found = mote.steinhardt(positions, 4, SWITCH, TILTED, reduction="moments", moments=[2, 5],
                            derivatives=True, **options)
    away = found.order - found.order.mean()
    for k, power in enumerate([2, 5]):
        assert found.value[k] == pytest.approx((away ** power).mean(), rel=1e-11)
        slopes = power * (away ** (power - 1) - (away ** (power - 1)).mean()) / 40
        again = mote.steinhardt(positions, 4, SWITCH, TILTED, reduction="sum", weights=slopes,
                                derivatives=True, **options)
        assert numpy.allclose(again.derivatives, found.derivatives[k], rtol=0, atol=1e-12)
        assert numpy.allclose(again.virial, found.virial[k], rtol=0, atol=1e-11)


def test_two_kinds(rng):
    """Order parameters of some atoms over others are those of the components' sums."""
    positions = rng.random((30, 3)) @ TILTED
    found = mote.steinhardt(positions, 3, SWITCH, TILTED, centres=12, first_neighbour=8,
                            reduction="sum", derivatives=True)
    assert (found.order[12:] == 0).all() and found.value == pytest.approx(found.order.sum())
    for i in (0, 9):
        near = numpy.array([i] + [j for j in range(8, 30) if j != i])
        lone = mote.steinhardt(positions[near], 3, SWITCH, TILTED)
        assert found.order[i] == pytest.approx(lone.order[0], abs=1e-13)
    step = numpy.zeros((30, 3))
    step[9, 1] = 1e-5
    high, low = (mote.steinhardt(positions + sign * step, 3, SWITCH, TILTED, centres=12,
                                 first_neighbour=8, reduction="sum").value for sign in (1, -1))
    assert found.derivatives[9, 1] == pytest.approx((high - low) / 2e-5, abs=1e-7)


@pytest.mark.parametrize("l", [4, 6])
def test_like_freud(rng, l):
    freud = pytest.importorskip("freud")
    positions = rng.random((200, 3)) * 12
    pairs = mote.neighbours(positions, 3.0, [12, 12, 12])
    lists = freud.locality.NeighborList.from_arrays(200, 200, pairs.i, pairs.j, pairs.D,
                                                    switched(pairs.d))
    steinhardt = freud.order.Steinhardt(l, weighted=True)
    steinhardt.compute((freud.box.Box.cube(12), positions - 6), neighbors=lists)
    found = mote.steinhardt(positions, l, SWITCH, [12, 12, 12])
    expected = steinhardt.particle_order * math.sqrt((2 * l + 1) / (4 * math.pi))
    alone = numpy.bincount(pairs.i, minlength=200) == 0  # freud's order is NaN, mote's 0
    assert numpy.allclose(found.order[~alone], expected[~alone], rtol=0, atol=2e-5)
    assert (found.order[alone] == 0).all()


@pytest.mark.parametrize("box", [numpy.eye(3) * 4, TILTED / 2])
def test_nearest_images(rng, box):
    """The longest distance at which a neighbour counts is longer than half of the box."""
    positions = rng.random((20, 3)) @ box
    pairs = mote.neighbours(positions, 3.0, box)
    order = numpy.lexsort((pairs.d, pairs.j, pairs.i))
    first = numpy.unique(pairs.i[order] * 20 + pairs.j[order], return_index=True)[1]
    kept = order[first]
    kept = kept[pairs.i[kept] != pairs.j[kept]]
    assert len(kept) < len(order)
    polynomial = numpy.polynomial.legendre.Legendre.basis(6)
    expected = []
    for i in range(20):
        k = kept[pairs.i[kept] == i]
        s, unit = switched(pairs.d[k]), pairs.D[k] / pairs.d[k][:, None]
        products = polynomial(numpy.clip(unit @ unit.T, -1, 1))
        expected.append(math.sqrt(13 / (4 * math.pi) * (s @ products @ s)) / s.sum())
    assert numpy.allclose(mote.steinhardt(positions, 6, SWITCH, box).order, expected, atol=1e-12)


def test_float32_and_empty(rng):
    positions = rng.random((40, 3)).astype("f4") * 9
    found = mote.steinhardt(positions, 6, SWITCH, [9, 9, 9], derivatives=True, components=True)
    wide = mote.steinhardt(positions.astype("f8"), 6, SWITCH, [9, 9, 9], derivatives=True)
    assert found.order.dtype == found.derivatives.dtype == "f4" and found.components.dtype == "c8"
    assert numpy.allclose(found.derivatives, wide.derivatives, rtol=1e-6)
    empty = mote.steinhardt(numpy.empty((0, 3)), 6, SWITCH, derivatives=True, components=True)
    assert empty.value == 0 and empty.order.shape == (0,) and (empty.virial == 0).all()
    assert empty.components.shape == (0, 13)


@pytest.mark.parametrize("call, words", [
    (lambda x: mote.steinhardt(x[:, :2], 6, SWITCH), "shape"),
    (lambda x: mote.steinhardt(x, 5, SWITCH), "l is 5"),
    (lambda x: mote.steinhardt(x, 6, "RATIONAL R_0=1"), "finite d_max"),
    (lambda x: mote.steinhardt(x, 6, 3.0), "switch"),
    (lambda x: mote.steinhardt(x, 6, SWITCH, [0, 9, 9]), "length 0"),
    (lambda x: mote.steinhardt(x, 6, SWITCH, reduction="max"), "reduction"),
    (lambda x: mote.steinhardt(x, 6, SWITCH, reduction="more_than"), "threshold"),
    (lambda x: mote.steinhardt(x, 6, SWITCH, threshold="RATIONAL R_0=1"), "threshold"),
    (lambda x: mote.steinhardt(x, 6, SWITCH, moments=[2]), "powers"),
    (lambda x: mote.steinhardt(x, 6, SWITCH, reduction="moments", moments=[1]), "a power is 1"),
    (lambda x: mote.steinhardt(x, 6, SWITCH, local_switch=SWITCH), "local is False"),
    (lambda x: mote.steinhardt(x, 6, SWITCH, centres=5), "n_centres is 5"),
    (lambda x: mote.steinhardt(x, 6, SWITCH, weights=[1, 2]), "weights"),
    (lambda x: mote.steinhardt(x * numpy.nan, 6, SWITCH), "position"),
])
def test_refusals(rng, call, words):
    with pytest.raises(mote.MoteError, match=words):
        call(rng.random((4, 3)) + 1)
