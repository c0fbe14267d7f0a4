# SPDX-License-Identifier: Apache-2.0
"""Compares mote.Coordination with pairs in numpy."""

import mote
import numpy
import pytest

R_0, D_MAX = 0.4, 0.9
WORDS = f"RATIONAL R_0={R_0} D_MAX={D_MAX} NOSTRETCH"


def oracle(positions, box, pairs, weights=None):
    """Returns value, derivatives, virial and numbers of atoms of (1 - x^6) / (1 - x^12) = 1 / (1 + x^6).

    weights: of atoms; the weight of a pair is the sum of those of its two atoms.
    """
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
        if weights is not None:
            s, slope = (weights[i] + weights[j]) * s, (weights[i] + weights[j]) * slope
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
    rounded = positions.astype("f4")
    single, same = plan(rounded, box), plan(rounded.astype("f8"), box)
    assert single.derivatives.dtype == "f4"
    assert single.value == pytest.approx(same.value, rel=1e-12)
    assert numpy.allclose(single.derivatives, same.derivatives, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("kind", ["float64", "float32", "int16"])
@pytest.mark.parametrize("boxed", [False, True])
def test_weights(rng, boxed, kind):
    n = 40
    positions = rng.random((n, 3)) * 2
    box = numpy.array([2.0, 2.1, 2.2]) if boxed else None
    plan = mote.Coordination(WORDS, n_atoms=n, pbc="orthorhombic" if boxed else "none",
                             precision="double")
    weights = (100 * rng.standard_normal(n)).astype(kind)
    found = plan(positions, box, weights=weights)
    value, slopes, virial, _ = oracle(positions, box, [(i, j) for i in range(n) for j in range(i)],
                                      weights.astype("f8"))
    assert found.coordination is None
    assert found.value == pytest.approx(value, rel=1e-11, abs=1e-9)
    assert numpy.allclose(found.derivatives, slopes, rtol=1e-9, atol=1e-8)
    assert numpy.allclose(found.virial, virial, rtol=1e-9, atol=1e-8)
    rounded = positions.astype("f4")
    single = plan(rounded, box, weights=list(map(float, weights)))
    same = plan(rounded.astype("f8"), box, weights=weights)
    assert single.derivatives.dtype == "f4"
    assert single.value == pytest.approx(same.value, rel=1e-12, abs=1e-9)
    assert numpy.allclose(single.derivatives, same.derivatives, rtol=1e-6, atol=1e-6)


def test_weights_of_entries_and_frames(rng):
    """Atom 3 is in both groups, with a different weight in each."""
    a, b = [0, 3, 5, 9], [1, 3, 7]
    frames = rng.random((3, 10, 3))
    plan = mote.Coordination(WORDS, n_atoms=10, group_a=a, group_b=b, precision="double")
    weights = rng.random((3, 7))
    numbers = plan(frames).coordination
    found = plan(frames, weights=weights, derivatives="entry")
    assert found.value == pytest.approx((weights * numbers).sum(axis=1), rel=1e-12)
    for k in range(3):
        alone = plan(frames[k], weights=weights[k], derivatives="entry")
        assert alone.value == pytest.approx(found.value[k], rel=1e-12)
        assert numpy.allclose(alone.derivatives, found.derivatives[k], rtol=1e-12, atol=1e-13)
    alike = plan(frames, weights=weights[0])
    assert alike.value == pytest.approx(numbers @ weights[0], rel=1e-12)
    assert plan(frames, weights=numpy.full(7, 0.5)).value == pytest.approx(plan(frames).value)
    slopes = numpy.zeros((10, 3))
    numpy.add.at(slopes, a + b, found.derivatives[0])
    atoms = plan(frames[0], weights=weights[0]).derivatives
    assert numpy.allclose(atoms, slopes, rtol=1e-12, atol=1e-13)


def test_the_guides_function_of_numbers(rng, guide):
    """Derivatives agree with finite differences of the value."""
    names = {"mote": mote, "numpy": numpy}
    exec(guide("def more_than("), names)
    positions, step = rng.random((30, 3)), 1e-5
    # Without D_MAX and a box, the function has no kink that a difference could meet.
    plan = mote.Coordination(f"RATIONAL R_0={R_0}", n_atoms=30, precision="double")

    def value_of(moved):
        return names["more_than"](plan, moved, None, 2.5)[0]

    value, slopes, virial = names["more_than"](plan, positions, None, 2.5)
    numbers = plan(positions).coordination
    assert value == pytest.approx(sum(1 - 1 / (1 + (n / 2.5) ** 6) for n in numbers), rel=1e-12)
    for atom, axis in ((0, 0), (7, 1), (29, 2)):
        shift = numpy.zeros((30, 3))
        shift[atom, axis] = step
        difference = value_of(positions + shift) - value_of(positions - shift)
        assert slopes[atom, axis] == pytest.approx(difference / (2 * step), rel=1e-4, abs=1e-5)
    difference = value_of(positions * (1 + step)) - value_of(positions * (1 - step))
    assert -numpy.trace(virial) == pytest.approx(difference / (2 * step), rel=1e-4, abs=1e-5)


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


def test_steps_with_a_skin(rng):
    plan, plain = (mote.Coordination(WORDS, n_atoms=20, precision="double", method="cells", skin=skin)
                   for skin in (0.1, 0.0))
    x = rng.random((20, 3))
    for _ in range(3):
        x += 0.01 * rng.random((20, 3))
        numpy.testing.assert_allclose(plan(x).derivatives, plain(x).derivatives, rtol=1e-9, atol=1e-12)


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
    (dict(group_a=[0, -1]), "group_a holds -1"),
    (dict(group_a=[0.5]), "group_a"),
    (dict(group_a=numpy.array([[1]])), "group_a"),
    (dict(mode="both"), "self, two, pair"),
    (dict(mode="two"), "group"),
    (dict(mode="pair", group_a=[1, 2], group_b=[3]), "pair|length|group"),
    (dict(pbc="cubic"), "triclinic"),
    (dict(precision="half"), "mixed"),
    (dict(method="all-pairs"), "did you mean 'all_pairs'"),
    (dict(switch="EXP R_0=1", method="cells"), "d_max|infinite"),
    (dict(skin=-0.1), "skin is -0.1"),
    (dict(skin="0.1"), "skin is '0.1': a number"),
])
def test_bad_plans(change, words):
    with pytest.raises(mote.MoteError, match=words):
        mote.Coordination(**{**dict(switch=WORDS, n_atoms=10), **change})


@pytest.mark.parametrize("positions, box, words", [
    (numpy.zeros((9, 3)), [1, 1, 1], "shape"),
    (numpy.zeros((10, 4)), [1, 1, 1], "shape"),
    (numpy.zeros(30), [1, 1, 1], "shape"),
    (numpy.zeros((10, 3), complex), [1, 1, 1], "complex"),
    (numpy.full((10, 3), numpy.nan), [1, 1, 1], "frame 0.*atom 0"),
    (numpy.zeros((10, 3)), None, "box is needed"),
    (numpy.zeros((10, 3)), [1, 1], "box"),
    (numpy.zeros((10, 3)), [1, 0, 1], "box"),
    (numpy.zeros((10, 3)), [[1, 0, 0], [0, 1, 0], [0, 0.1, 1]], 'diagonal.*use pbc="triclinic"'),
    (numpy.zeros((10, 3)), [1, numpy.nan, 1], r"box \(1 0 0, 0 nan 0, 0 0 1\)"),
    (numpy.zeros((10, 3)), "abc", "box"),
    (numpy.broadcast_to(0.0, (2 ** 31, 10, 3)), [1, 1, 1], "contiguous"),
])
def test_bad_calls(positions, box, words):
    plan = mote.Coordination(WORDS, n_atoms=10, pbc="orthorhombic")
    with pytest.raises(mote.MoteError, match=words):
        plan(positions, box)


@pytest.mark.parametrize("options, words", [
    (dict(weights=[1.0]), "weights have the shape"),
    (dict(weights=numpy.ones((3, 1))), "weights have the shape"),
    (dict(weights=numpy.ones((1, 2))), "weights have the shape"),
    (dict(weights=2.0), "weights have the shape"),
    (dict(weights=[1j, 1j]), "complex128"),
    (dict(weights="ab"), "weights"),
    (dict(weights=numpy.ma.array([1.0, 2.0])), "masked array"),
    (dict(weights=[1.0, numpy.nan]), "frame 0: the weight of entry 1 is nan"),
    (dict(weights=[1e39, 0.0]), "frame 0: the weight of entry 0 is 1e.39"),
    (dict(weights=[1.0, 1.0], coordination=True), "weights and coordination"),
])
def test_bad_weights(options, words):
    plan = mote.Coordination(WORDS, n_atoms=2)
    with pytest.raises(mote.MoteError, match=words):
        plan(numpy.zeros((2, 3)), **options)


def test_what_a_plan_shows():
    assert repr(mote.Coordination("RATIONAL R_0=0.3 D_MAX=1.0", n_atoms=2, precision="double")) == \
        "<mote.Coordination 'RATIONAL R_0=0.3 D_MAX=1.0', 2 entries, d_max 1, precision 'double', " \
        "method 'auto'>"
    assert " d_max inf," in repr(mote.Coordination("EXP R_0=1", n_atoms=2))


def test_many_pairs_without_d_max(recwarn):
    half = numpy.arange(4000)
    for options, pairs in ((dict(), 31996000), (dict(group_a=half, group_b=half + 4000), 16000000)):
        with pytest.warns(UserWarning, match=f"no D_MAX.*all {pairs} pairs.*add D_MAX") as caught:
            mote.Coordination("RATIONAL R_0=0.3", n_atoms=8000, **options)
        assert caught[0].filename == __file__
    recwarn.clear()
    for options in (dict(method="all_pairs"), dict(group_a=half), dict(switch="EXP R_0=1 D_MAX=2"),
                    dict(group_a=half, group_b=half, mode="pair")):
        mote.Coordination(**{**dict(switch="RATIONAL R_0=0.3", n_atoms=8000), **options})
    assert not recwarn.list


def test_derivatives_of_what():
    plan = mote.Coordination(WORDS, n_atoms=2)
    with pytest.raises(mote.MoteError, match="derivatives is False: .* or None"):
        plan(numpy.zeros((2, 3)), derivatives=False)
    with pytest.raises(mote.MoteError, match="entry, atom"):
        plan(numpy.zeros((2, 3)), derivatives="atoms")
    with pytest.raises(mote.MoteError, match="pbc"):
        plan(numpy.zeros((2, 3)), [1, 1, 1])
