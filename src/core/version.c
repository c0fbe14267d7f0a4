/* SPDX-License-Identifier: Apache-2.0 */
#include "mote/version.h"

const char *mote_version(void)
{
    return MOTE_VERSION_STRING;
}
