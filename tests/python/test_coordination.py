# SPDX-License-Identifier: Apache-2.0
"""mote.Coordination against pairs in numpy."""

import mote
import numpy
import pytest

R_0, D_MAX = 0.4, 0.9
WORDS = f"RATIONAL R_0={R_0} D_MAX={D_MAX} NOSTRETCH"


def oracle(positions, box, pairs):
    """Value, derivatives, virial and numbers of atoms of (1 - x^6) / (1 - x^12) = 1 / (1 + x^6)."""
    value, slopes = 0.0, numpy.zeros_like(positions)
    virial, numbers = numpy.zeros((3, 3)), numpy.zeros(len(positions))
    for i, j in pairs:
        d = positions[j] - positions[i]
        if box is not None:
            d -= box * numpy.round(d / box)
        r = numpy.linalg.norm(d)
        if i == j or r > D_MAX:
            continue
        x = r / R_0
        s, slope = 1 / (1 + x ** 6), -6 * x ** 5 / R_0 / (1 + x ** 6) ** 2
        value += s
        numbers[[i, j]] += s
        slopes[i] -= slope / r * d
        slopes[j] += slope / r * d
        virial -= slope / r * numpy.outer(d, d)
    return value, slopes, virial, numbers


@pytest.mark.parametrize("boxed", [False, True])
def test_self(rng, boxed):
    n = 60
    positions = rng.random((n, 3)) * 2
    box = numpy.array([2.0, 2.1, 2.2]) if boxed else None
    plan = mote.Coordination(WORDS, n_atoms=n, pbc="orthorhombic" if boxed else "none",
                             precision="double")
    found = plan(positions, box)
    value, slopes, virial, numbers = oracle(positions, box,
                                            [(i, j) for i in range(n) for j in range(i)])
    assert isinstance(found.value, float) and found.value == pytest.approx(value, rel=1e-12)
    assert numpy.allclose(found.derivatives, slopes, rtol=1e-9, atol=1e-10)
    assert numpy.allclose(found.virial, virial, rtol=1e-9, atol=1e-10)
    assert numpy.allclose(found.coordination, numbers, rtol=1e-11)
    single = plan(positions.astype("f4"), box)
    assert single.derivatives.dtype == "f4" and single.value == pytest.approx(value, rel=1e-5)


def test_groups_and_frames(rng):
    a, b = [0, 3, 5, 9], numpy.array([1, 3, 7])
    frames = rng.random((3, 10, 3))
    two = mote.Coordination(WORDS, n_atoms=10, group_a=a, group_b=b, precision="double")
    found = two(frames, derivatives="entry")
    assert found.value.shape == (3,) and found.derivatives.shape == (3, 7, 3)
    assert found.virial.shape == (3, 3, 3) and found.coordination.shape == (3, 7)
    for k in range(3):
        value, slopes, _, _ = oracle(frames[k], None, [(i, j) for i in a for j in b])
        assert found.value[k] == pytest.approx(value, rel=1e-12)
        assert numpy.allclose(two(frames[k]).derivatives, slopes, rtol=1e-9, atol=1e-10)
    pair = mote.Coordination(WORDS, n_atoms=10, group_a=a[:3], group_b=b, mode="pair",
                             precision="double")
    assert pair(frames[0]).value == pytest.approx(
        oracle(frames[0], None, list(zip(a, b)))[0], rel=1e-12)


def test_triclinic_box_of_an_orthorhombic_one(rng):
    positions, lengths = rng.random((20, 3)), numpy.array([1.5, 1.6, 1.7])
    plans = [mote.Coordination(WORDS, n_atoms=20, pbc=pbc, precision="double")
             for pbc in ("orthorhombic", "triclinic")]
    values = [plan(positions, box).value for plan in plans
              for box in (lengths, numpy.diag(lengths))]
    assert values == pytest.approx([values[0]] * 4, rel=1e-13)


def test_only_what_is_wanted(rng):
    plan = mote.Coordination(WORDS, n_atoms=5)
    found = plan(rng.random((5, 3)), derivatives=None, virial=False, coordination=False)
    assert found.value >= 0 and found[1:] == (None, None, None)
    assert plan(numpy.empty((0, 5, 3))).value.shape == (0,)


def test_closed_plan(rng):
    with mote.Coordination(WORDS, n_atoms=5) as plan:
        plan(rng.random((5, 3)))
    plan.close()
    with pytest.raises(mote.MoteError, match="closed"):
        plan(rng.random((5, 3)))


@pytest.mark.parametrize("change, words", [
    (dict(switch="RATIONAL R0=1"), "R_0"),
    (dict(switch="CUSTOM FUNC=x"), "CUSTOM needs R_0"),
    (dict(switch=0.3), "switch"),
    (dict(n_atoms=-1), "n_atoms"),
    (dict(n_atoms=2.5), "n_atoms"),
    (dict(group_a=[0, 10]), "10"),
    (dict(group_a=[0, -1]), "atom"),
    (dict(group_a=[0.5]), "group_a"),
    (dict(group_a=numpy.array([[1]])), "group_a"),
    (dict(mode="both"), "self, two, pair"),
    (dict(mode="two"), "group"),
    (dict(mode="pair", group_a=[1, 2], group_b=[3]), "pair|length|group"),
    (dict(pbc="cubic"), "triclinic"),
    (dict(precision="half"), "mixed"),
    (dict(switch="EXP R_0=1", method="cells"), "d_max|infinite"),
])
def test_bad_plans(change, words):
    with pytest.raises(mote.MoteError, match=words):
        mote.Coordination(**{**dict(switch=WORDS, n_atoms=10), **change})


@pytest.mark.parametrize("positions, box, words", [
    (numpy.zeros((9, 3)), [1, 1, 1], "shape"),
    (numpy.zeros((10, 4)), [1, 1, 1], "shape"),
    (numpy.zeros(30), [1, 1, 1], "shape"),
    (numpy.zeros((10, 3), int), [1, 1, 1], "int64"),
    (numpy.zeros((10, 3), complex), [1, 1, 1], "complex"),
    (numpy.full((10, 3), numpy.nan), [1, 1, 1], "frame 0.*atom 0"),
    (numpy.zeros((10, 3)), None, "box is needed"),
    (numpy.zeros((10, 3)), [1, 1], "box"),
    (numpy.zeros((10, 3)), [1, 0, 1], "box"),
    (numpy.zeros((10, 3)), [1, numpy.nan, 1], "box"),
    (numpy.zeros((10, 3)), "abc", "box"),
    (numpy.broadcast_to(0.0, (2 ** 31, 10, 3)), [1, 1, 1], "contiguous"),
])
def test_bad_calls(positions, box, words):
    plan = mote.Coordination(WORDS, n_atoms=10, pbc="orthorhombic")
    with pytest.raises(mote.MoteError, match=words):
        plan(positions, box)


def test_derivatives_of_what():
    plan = mote.Coordination(WORDS, n_atoms=2)
    with pytest.raises(mote.MoteError, match="entry, atom"):
        plan(numpy.zeros((2, 3)), derivatives="atoms")
    with pytest.raises(mote.MoteError, match="pbc"):
        plan(numpy.zeros((2, 3)), [1, 1, 1])
