# SPDX-License-Identifier: Apache-2.0
"""Functions of awkward that select elements of lists by their index."""

import numpy
from awkward.contents import IndexedOptionArray, RegularArray
from awkward.index import Index64

from . import jagged
from ._arrays import output
from ._call import whole_number
from ._layouts import checked, listed, masked_by, outermost, result_of

_MOST = 2 ** 63 - 1


def _rows(offsets, k, context):
    """Returns the positions of the first k elements of each list, and -1 where there is none."""
    return jagged.pad(offsets, numpy.arange(offsets[-1]), k, fill=-1, context=context)


def _taken(content, index):
    """Returns the elements at these positions, and None for each -1."""
    return IndexedOptionArray.simplified(Index64(index.reshape(-1)), content)


@checked
def pad_none(array, target, axis=1, *, clip=False, context=None):
    """Pads each list with None to at least `target` elements, like ak.pad_none().

    array: lists of anything, such as records. axis: 1, or -1 where both are the same. clip: True:
    longer lists are cut, so that all lists have `target` elements.

    Returns: an ak.Array of lists, with None where array has None.

    >>> mote.awkward.pad_none(ak.Array([[3, 1], [], [2]]), 1).to_list()
    [[3, 1], [None], [2]]
    """
    offsets, content, there = outermost(array, "array", axis)
    target = whole_number(target, "target", _MOST)
    if clip:
        index = _rows(offsets, target, context)
        lists = RegularArray(_taken(content, index), target, len(offsets) - 1)
    else:
        counts = numpy.diff(offsets)
        ends = jagged.offsets(numpy.maximum(counts, target), context=context)
        index = output(None, ends[-1], "i8", "the padded array")
        index.fill(-1)
        inside = jagged.local_index(ends, context=context)
        index[inside < jagged.gather(ends, counts, context=context)] = numpy.arange(offsets[-1])
        lists = listed(ends, _taken(content, index))
    return result_of(lists if there is None else masked_by(there, lists), array)


@checked
def firsts(array, axis=1, *, context=None):
    """Returns the first element of each list, and None for a list without elements, like ak.firsts().

    array: lists of anything, such as records. axis: 1, or -1 where both are the same.

    Returns: an ak.Array with one dimension less.

    >>> mote.awkward.firsts(ak.Array([[3, 1], [], [2]])).to_list()
    [3, None, 2]
    """
    offsets, content, _ = outermost(array, "array", axis)
    return result_of(_taken(content, _rows(offsets, 1, context)), array, axis_removed=True)
