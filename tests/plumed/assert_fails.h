/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MOTE_TESTS_PLUMED_ASSERT_FAILS_H
#define MOTE_TESTS_PLUMED_ASSERT_FAILS_H

#include <string>

#include <mote/mote.hpp>

#include "common/suite.h"

/* Checks that the work throws mote::error with this text in its sentence. */
template <typename Work> void assert_fails(const Work &work, const char *text)
{
    std::string got = "nothing";
    try {
        work();
    } catch (const mote::error &found) {
        got = found.what();
    }
    ck_assert_msg(got.find(text) != std::string::npos, "'%s' is not in '%s'", text, got.c_str());
}

#endif
