// SPDX-License-Identifier: Apache-2.0
/**
 * @file mote.hpp
 * @brief mote for C++17: the C interface with owners, exceptions and containers.
 *
 * Link with libmote as from C; this header adds nothing to link. Names are those of C with `mote::`
 * in place of `mote_`. Arguments, results and guarantees are the same as in C: the C headers are
 * the reference.
 *
 * - Failures are exceptions: mote::error carries the status and the sentence.
 * - mote::context, host, queue, event, buffer, pinned, coordination and error_word own what they
 *   hold. They can be moved, and convert to the handle where a C function expects one.
 * - Arguments keep their C structures: `auto args = mote::init<mote_jagged_parents_args>();`
 * - A queue, an event or memory may be passed as a plain OpenCL handle, as an object of this
 *   header, or as an object of <CL/opencl.hpp>, which is not needed.
 * - Arrays of the host are anything with std::data() and std::size(): std::vector, std::array, C
 *   arrays, std::span, mote::span.
 *
 * Threads: as in C. Errors of destructors are not reported.
 */
#ifndef MOTE_MOTE_HPP
#define MOTE_MOTE_HPP

#include "hpp/handle.hpp"
#include "hpp/event.hpp"
#include "hpp/context.hpp"
#include "hpp/memory.hpp"
#include "hpp/calls.hpp"

#endif
