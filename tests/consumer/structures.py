# SPDX-License-Identifier: Apache-2.0
"""Writes a program that tests the initialisers of structures, and headers of imagined other versions."""

import re

INITIALISER = re.compile(r"^MOTE_INITIALISER(?:_WITH)?\((mote_\w+)[,)]", re.M)
STRUCTURE = re.compile(r"^typedef struct (mote_\w+) \{\n    size_t size;(.*?)^\} \1;", re.M | re.S)
PROGRAM = """\
#include <mote/mote.h>
#include <stdio.h>

static unsigned char bytes[4096];

/* True if an initialiser has written what is wanted, and nothing beyond. */
static int is_right(const char *name, const void *wanted, size_t size)
{
    int good = memcmp(bytes, wanted, size) == 0;
    for (size_t k = size; k < sizeof(bytes); k++)
        good = good && bytes[k] == 0xA5;
    if (!good)
        printf("%s_init() is wrong\\n", name);
    return good;
}

int main(void)
{
    int good = strcmp(mote_version(), MOTE_VERSION_STRING) == 0;
"""


def initialised(text):
    """Returns the names of the structures that have an initialiser, from the text of the headers."""
    return sorted(INITIALISER.findall(text))


def program(text):
    """Returns a program in C and C++ that runs each initialiser. Its exit status is 0 if size is set, also in structures
    inside of the structure, and all else within it, and nothing beyond it, is zero. In C, the
    initialiser macros must give the same bytes."""
    kinds, members = initialised(text), dict(STRUCTURE.findall(text))
    lines = []
    for kind in kinds:
        inner = [field for of, field in re.findall(r"^    (mote_\w+) (\w+);", members[kind], re.M) if of in kinds]
        lines += [f"    static {kind} {kind}_wanted;", f"    {kind}_wanted.size = sizeof({kind});"]
        lines += [f"    {kind}_wanted.{field}.size = sizeof({kind}_wanted.{field});" for field in inner]
        lines += ["    memset(bytes, 0xA5, sizeof(bytes));", f"    {kind}_init(({kind} *)(void *)bytes);",
                  f'    good = is_right("{kind}", &{kind}_wanted, sizeof({kind})) && good;',
                  "#ifndef __cplusplus", f"    static {kind} {kind}_macro = {kind.upper()}_INIT;",
                  f"    good = good && memcmp(&{kind}_macro, &{kind}_wanted, sizeof({kind})) == 0;", "#endif"]
    return PROGRAM + "\n".join(lines) + "\n    return good ? 0 : 1;\n}\n"


def program_of_two(text):
    """Returns a program in C++ of two files: this one with OLDER, and without. Its exit status is 0 if mote::init()
    returns structures of the size that each file was compiled with."""
    wrong = "\n        + ".join(f"(mote::init<{kind}>().size != sizeof({kind}))" for kind in initialised(text))
    return ("#include <mote/mote.hpp>\nint older();\n#ifdef OLDER\nint older()\n{\n    return 0\n        + "
            f"{wrong};\n}}\n#else\nint main()\n{{\n    return (older()\n        + {wrong}) != 0;\n}}\n#endif\n")


def older(text):
    """Returns the text of a header in which each structure lacks its last two members."""
    def shortened(match):
        members = [m for m in re.sub(r"/\*.*?\*/", "", match[2], flags=re.S).split(";") if m.strip()]
        return f"typedef struct {match[1]} {{\n    size_t size;{';'.join(members[:-2])};\n}} {match[1]};"
    return STRUCTURE.sub(shortened, text)


def newer(text):
    """Returns the text of a header in which each structure has another member at its end."""
    return STRUCTURE.sub(r"typedef struct \1 {\n    size_t size;\2    void *newest;\n} \1;", text)
