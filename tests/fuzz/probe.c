/* SPDX-License-Identifier: Apache-2.0 */
/* Checks whether clang supports fuzzing, and finds the headers that the parsers include. */
#include <CL/cl.h>
#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return size > 4096 && data[0];
}
