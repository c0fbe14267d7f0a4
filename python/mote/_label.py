# SPDX-License-Identifier: Apache-2.0
"""Labels of the regions of images: their pixels are clustered (mote/pixels.h)."""

import numpy

from . import _arrays, jagged
from ._call import call_host, chosen_context, structure
from ._cluster import cluster
from ._device import is_device_array, place_of
from ._errors import bad_type, bad_value
from ._library import ffi, lib

_MOST_LINES = 65536
_ON_DEVICE = [numpy.dtype(name) for name in (
    "bool", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8")]


def _checked(image, connectivity):
    """The numbers of images, rows and columns."""
    if image.dtype.kind not in "biuf":
        raise bad_type(f"image has the type {image.dtype}: bool, integers or floats are wanted")
    if image.ndim not in (2, 3):
        raise bad_value(f"image has the shape {image.shape}: 2 dimensions are wanted, or 3 for a "
                        "stack of images")
    if max(image.shape[-2:]) > _MOST_LINES:
        raise bad_value(f"image has the shape {image.shape}: at most {_MOST_LINES} rows and "
                        "columns are possible, cut it into parts")
    if not isinstance(connectivity, (int, numpy.integer)) or connectivity not in (4, 8):
        shown = (repr if numpy.isscalar(connectivity) else type)(connectivity)
        raise bad_value(f"connectivity is {shown}: use 4 for pixels that share a side, or 8 for "
                        "pixels that share a side or a corner (structure=numpy.ones((3, 3)) in SciPy)")
    return image.shape if image.ndim == 3 else (1, *image.shape)


def label(image, connectivity=4, *, context=None):
    """Numbers the connected regions of an image, as scipy.ndimage.label().

    image: (rows, columns), or (images, rows, columns) for a stack, of bool, integers or floats; or
        a contiguous pyopencl array. Pixels that are not 0 (NaN is not 0) belong to regions. There
        are at most 65 536 rows and columns.
    connectivity: 4: pixels that share a side are connected, as by default in SciPy. 8: so are
        pixels that share a corner, as with structure=numpy.ones((3, 3)) in SciPy.
    context: Context or device string; None: the default one.

    Each image of a stack is labelled alone: regions never extend over several images, and the
    labels of each image begin with 1. SciPy treats such an array as one image of 3 dimensions.

    Returns: (labels, count). labels: int32, of the shape of the image: 0, or the number of the
    pixel's region from 1 in the order of the regions' first pixels, row by row. count: the number
    of regions; for a stack (images) int32. On the device, both are arrays.
    Raises MoteError; with it TypeError for a type, ValueError for a shape or connectivity.

    >>> labels, count = mote.label([[1, 0, 0], [0, 1, 1]])
    >>> labels, count
    (array([[1, 0, 0],
           [0, 2, 2]], dtype=int32), 2)
    """
    if is_device_array(image):
        return _on_device(image, _checked(image, connectivity), connectivity, context)
    image = _arrays.given(image, "image")
    shape = _checked(image, connectivity)
    labels, counts = _on_host(image, shape, connectivity, chosen_context(context))
    return labels, counts if image.ndim == 3 else int(counts[0])


def _on_host(image, shape, connectivity, context):
    """NumPy finds the pixels; each image is an event with a single module."""
    images, rows, columns = shape
    labels, counts = numpy.zeros(image.shape, "i4"), numpy.zeros(images, "u4")
    pixels = numpy.flatnonzero(image != 0)
    if pixels.size:
        row = pixels // columns
        x, y = (pixels - row * columns).astype("u2"), (row % rows).astype("u2")
        ends = numpy.searchsorted(pixels, numpy.arange(images + 1) * (rows * columns)).astype("u4")
        module, found = numpy.zeros(len(pixels), "u2"), numpy.empty(len(pixels), "i4")
        args = structure("mote_pixels_host_args", n=len(pixels), n_events=images, n_modules=1,
                         module_id16=_arrays.typed_pointer(module), x=_arrays.typed_pointer(x),
                         y=_arrays.typed_pointer(y), event_offsets=_arrays.typed_pointer(ends),
                         rows=columns, columns=rows, order=lib.MOTE_ORDER_CONTIGUOUS,
                         connectivity=connectivity, cluster_id=_arrays.typed_pointer(found),
                         n_clusters=_arrays.typed_pointer(counts))
        call_host(context, "mote_pixels_cluster_host", args, ffi.NULL)
        labels.reshape(-1)[pixels] = found + 1
    return labels, counts.view("i4")


def _on_device(image, shape, connectivity, context):
    """Every pixel is a digi of adc 0 or 1, so that its label is where the pixel is."""
    import pyopencl.array
    with place_of([image], context) as place:
        queue, image = place.queue, place.given(image, "image", _ON_DEVICE)
    images, rows, columns = shape
    if not image.size:
        return tuple(pyopencl.array.zeros(queue, n, numpy.int32) for n in (image.shape, images))

    def spread(values):
        """Gives every pixel the value of its row."""
        values = pyopencl.array.to_device(queue, values)
        return jagged.gather(offsets, values, n=image.size, context=context)

    offsets = pyopencl.array.to_device(queue, numpy.arange(images * rows + 1) * columns)
    module = spread(numpy.repeat(numpy.arange(images, dtype="u4"), rows))
    y = spread(numpy.tile(numpy.arange(rows, dtype="u2"), images))
    x = jagged.local_index(offsets, n=image.size, context=context).astype("u2")
    values = image.view("i1") if image.dtype == bool else image  # pyopencl cannot compare bool
    adc = (values.reshape(-1) != 0).astype("u2")
    found = cluster(module, x, y, adc, rows=columns, columns=rows, n_modules=images,
                    order="contiguous", connectivity=connectivity, adc_threshold=1, context=context)
    return (found.labels + 1).reshape(image.shape), found.n_clusters.reshape(-1).view("i4")
