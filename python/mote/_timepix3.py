# SPDX-License-Identifier: Apache-2.0
"""Decodes packets of Timepix3 detectors (mote/pixels_time.h)."""

import collections

import numpy

from . import _arrays
from ._call import call_host, chosen_context, structure, whole_number
from ._errors import MoteError, bad_value, error
from ._library import ffi, lib

_U16, _I64, _U64 = (numpy.dtype(name) for name in ("uint16", "int64", "uint64"))
_MAGIC = 0x33585054  # "TPX3", the lowest 32 bits of the header of a chunk
_KINDS = [2, 4, 5, 6, 7, 10, 11]  # highest 4 bits of packets

TimepixHits = collections.namedtuple("TimepixHits", "module x y t charge")
TimepixHits.__doc__ = """The hits of decode_timepix3(), which are the first arguments of cluster_time().

module: (hits) uint16, the chip. x, y: (hits) uint16, row and column, below 256.
t: (hits) int64, time of arrival in ticks of 1.5625 ns.
charge: (hits) uint16, time over threshold in ticks of 25 ns.
"""


def decode_timepix3(packets, chip=None, *, reference=None, context=None):
    """Decodes packets of Timepix3 detectors to hits for cluster_time().

    The time in a packet restarts at 0 after 2^34 ticks (26.8 s). Of all possible times, a hit has
    the one that is nearest to the time of the hit before it, so consecutive hits must be less than
    13.4 s apart. Packets of kinds 0xA and 0xB are hits; kinds 2 and 4 to 7 are skipped.

    packets: (n) uint64, the contents of a .tpx3 file: chunks that begin with a header. With `chip`:
        packets without headers.
    chip: the chip that sent the packets, or (n) uint16, the chip of each packet.
    reference: the time of the last hit before the packets, if a stream is decoded in pieces. None:
        the time of the first hit is 0 .. 2^34 - 1.
    context: Context or device string; None: the default context.

    Returns: TimepixHits, a tuple of module, x, y, t and charge.
    Raises MoteError, whose message contains the number of a bad packet or header.

    >>> packet = 0xb << 60 | 0x1234 << 44 | 70 << 30 | 25 << 20 | 3 << 16
    >>> hits = mote.decode_timepix3([packet], chip=0)
    >>> hits.x, hits.y, hits.t, hits.charge
    (array([24], dtype=uint16), array([19], dtype=uint16), array([1117]), array([25], dtype=uint16))
    """
    packets = _arrays.given(packets, "packets", [_U64], 1)
    words, places = packets, None
    if chip is None:
        places, chip = _chunks(words)
        packets = words[places]
    elif numpy.ndim(chip) == 0:
        chip = numpy.full(len(packets), whole_number(chip, "chip", 65535), _U16)
    chip = _arrays.given(chip, "chip", [_U16], 1)
    _arrays.same_length({"packets": packets, "chip": chip})
    n = len(packets)
    hits = TimepixHits(*(numpy.empty(n, _I64 if name == "t" else _U16)
                         for name in TimepixHits._fields))
    count = ffi.new("uint32_t *")
    args = structure("mote_pixels_timepix3_host_args", n=n, n_hits=count,
                     packets=_arrays.typed_pointer(packets), chip=_arrays.typed_pointer(chip))
    args.reference = (2**33 if reference is None
                      else whole_number(reference, "reference", 2**63 - 1, -2**63))
    for name, array in zip(("module_id", "x", "y", "t", "charge"), hits):
        setattr(args, name, _arrays.typed_pointer(array))
    try:
        call_host(chosen_context(context), "mote_pixels_decode_timepix3_host", args)
    except MoteError as fault:
        if fault.status != lib.MOTE_ERROR_PACKET:
            raise
        raise error(fault.status, _bad_packet(words, places)) from None
    return TimepixHits(*(array[:count[0]] for array in hits))


def _chunks(words):
    """Returns the positions of the packets in a file's words, and the chip of each packet."""
    starts, counts, chips, at = [], [], [], 0
    while at < len(words):
        header = int(words[at])
        count = header >> 51
        if header & 0xffffffff != _MAGIC or header >> 48 & 7:
            raise bad_value(f"packets[{at}] = {header:#018x} is not the header of a chunk (TPX3, chip, "
                            "size in bytes); give chip if the packets have no headers")
        if at + 1 + count > len(words):
            raise bad_value(f"packets[{at}] begins a chunk of {count} packets, but only "
                            f"{len(words) - at - 1} follow")
        starts.append(at + 1)
        counts.append(count)
        chips.append(header >> 32 & 0xff)
        at += 1 + count
    first = numpy.cumsum([0, *counts])
    places = numpy.arange(first[-1]) + numpy.repeat(numpy.array(starts, int) - first[:-1], counts)
    return places, numpy.repeat(numpy.array(chips, _U16), counts)


def _bad_packet(words, places):
    """Returns the sentence for the first packet of an unknown kind, which is at one of the places."""
    places = numpy.arange(len(words)) if places is None else places
    bad = places[~numpy.isin(words[places] >> numpy.uint64(60), _KINDS)][0]
    return f"packets[{bad}] = {int(words[bad]):#018x} is of no kind that Timepix3 sends"
