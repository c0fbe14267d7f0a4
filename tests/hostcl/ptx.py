# SPDX-License-Identifier: Apache-2.0
"""Replaces PTX in kernel sources with C, so that code for NVIDIA's compiler also runs here.

Each asm statement becomes a block that calls the functions of ptx.clh, instruction by instruction; an unknown
instruction is an error with a sentence. Lines keep their numbers.
"""

import json
import os
import re

ASM = re.compile(r"__asm__\s*(?:volatile\s*)?\(")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
WHOLE = "0xffffffff"  # the lanes that take part
# Instruction -> C.
ONE = [
    (r"mov\.b64 \{(\w+), (\w+)\}, (.+)", r"\1 = (uint)(\3); \2 = (uint)((\3) >> 32);"),
    (r"mov\.b64 (.+), \{(\w+), (\w+)\}", r"\1 = (ulong)\2 | (ulong)\3 << 32;"),
    (r"shfl\.sync\.(up|down|bfly|idx)\.b32 ([^|]+), (.+), (.+), (.+), " + WHOLE,
     r"\2 = (uint)ptx_shuffle_\1(\3, \4, \5);"),
    (r"shfl\.sync\.(up|down|bfly|idx)\.b32 (.+)\|(\w+), (.+), (.+), (.+), " + WHOLE,
     r"{ ulong ptx_both = ptx_shuffle_\1(\4, \5, \6); \2 = (uint)ptx_both; "
     r"\3 = (uint)(ptx_both >> 32); }"),
    (r"vote\.sync\.ballot\.b32 (.+), (.+), " + WHOLE, r"\1 = ptx_ballot(\2);"),
    (r"setp\.ne\.u32 (.+), (.+), (.+)", r"\1 = (\2) != (\3);"),
    (r"selp\.u32 (.+), (.+), (.+), (.+)", r"\1 = \4 ? (\2) : (\3);"),
    (r"add\.u32 (.+), (.+), (.+)", r"\1 = (\2) + (\3);"),
    (r"bar\.red\.or\.pred (.+), 0, (.+)", r"\1 = ptx_barrier_or(\2);"),
    (r"bar\.warp\.sync " + WHOLE, "ptx_warp_sync();"),
    (r"cp\.async\.cg\.shared\.global \[(.+)\], \[(.+)\], 16", r"ptx_copy_16(\1, (ulong)\2);"),
    (r"cp\.async\.wait_all", "ptx_copies_wait();"),
    (r"prefetch\.global\.L2::evict_last \[(.+)\]", r"(void)(\1);"),
    (r"st\.global\.cs\.v4\.b32 \[(.+)\], \{(.+), (.+), (.+), (.+)\}",
     r"*(__global uint4 *)(\1) = (uint4)(\2, \3, \4, \5);"),
    (r"st\.global\.cs\.v2\.b64 \[(.+)\], \{(.+), (.+)\}",
     r"*(__global ulong2 *)(\1) = (ulong2)(\2, \3);"),
    (r"cp\.async\.commit_group", "ptx_copies_commit();"),
    (r"cp\.async\.wait_group 1", "ptx_copies_wait_but_last();"),
    (r"fence\.acq_rel\.gpu", "ptx_fence();"),
    (r"atom\.release\.gpu\.global\.add\.u32 (.+), \[(.+)\], (.+)",
     r"ptx_fence(); \1 = atomic_add(\2, \3);"),
    (r"(rcp|rsqrt)\.approx\.ftz\.f(32|64) (.+), (.+)", r"\3 = ptx_\1_\2(\4);"),
]


def parts_of(text, separator):
    """Returns a text split at each separator that is neither in parentheses nor in a string."""
    parts, depth, last, at = [], 0, 0, 0
    while at < len(text):
        string = STRING.match(text, at)
        if string:
            at = string.end()
            continue
        depth += (text[at] in "([") - (text[at] in ")]")
        if text[at] == separator and depth == 0:
            parts.append(text[last:at].strip())
            last = at + 1
        at += 1
    return [*parts, text[last:].strip()]


def end_of(text, begin):
    """Returns the end of the parenthesis that opens before `begin`."""
    depth = 1
    while depth:
        string = STRING.match(text, begin)
        depth += 0 if string else (text[begin] == "(") - (text[begin] == ")")
        begin = string.end() if string else begin + 1
    return begin - 1


def instruction(line):
    """Returns the C code of one instruction whose operands are C already."""
    predicate = re.match(r"@(\w+) (.*)", line)
    if predicate:
        return f"if ({predicate.group(1)}) {{ {instruction(predicate.group(2))} }}"
    declared = re.match(r"\.reg \.(u32|pred) (.+)", line)
    if declared:
        return f"uint {declared.group(2)};"
    for pattern, made in ONE:
        found = re.fullmatch(pattern, line)
        if found:
            return found.expand(made)
    raise ValueError(f"tests/hostcl/ptx.py has no C for the PTX: {line}")


def statement(inside):
    """Returns the block for the text between the parentheses of an asm statement."""
    template, *lists = parts_of(inside, ":")
    ptx = " ".join("".join(json.loads(string) for string in STRING.findall(template)).split())
    if ptx.startswith("{ .reg"):
        ptx = ptx[1:-1]
    for name in sorted({name for names in re.findall(r"\.reg \.\w+ ([^;]+);", ptx)
                        for name in names.split(", ")}):
        ptx = re.sub(rf"(?<![\w.]){name}(?![\w.])", f"ptx_{name}", ptx)
    operands = [re.fullmatch(r'"[=+]?[a-z]"\s*(\(.*\))', operand, re.S)
                for operand in [operand for part in lists[:2] for operand in parts_of(part, ",")]
                if operand]
    lines = [line.strip() for line in ptx.split(";") if line.strip()]
    made = " ".join(instruction(line) for line in lines)
    for number, operand in enumerate(operands):
        made = made.replace(f"%{number}", " ".join(operand.group(1).split()))
    return f"{{ {made} }}"


def translated(text):
    """Returns a source without PTX, whose lines keep their numbers."""
    made, last = [], 0
    for found in ASM.finditer(text):
        end = end_of(text, found.end())
        inside = text[found.end():end]
        made += [text[last:found.start()], statement(inside), "\n" * inside.count("\n")]
        last = end + 1
    return "".join(made) + text[last:]


def keep(path, text):
    """Writes a file, unless it exists: clang may be reading it, and checks whether it changes."""
    if os.path.exists(path):
        with open(path, encoding="ascii") as file:
            if file.read() == text:
                return
    made = f"{path}.{os.getpid()}"
    with open(made, "w", encoding="ascii") as file:
        file.write(text)
    os.rename(made, path)


def overlay(roots, folder):
    """Writes the sources that have PTX anew into a folder, and the options with which clang reads them instead."""
    os.makedirs(folder, exist_ok=True)
    entries = []
    for root in roots:
        for where, _, names in os.walk(root):
            for name in sorted(names):
                path = os.path.abspath(os.path.join(where, name))
                if not name.endswith((".cl", ".clh")):
                    continue
                with open(path, encoding="ascii") as file:
                    text = file.read()
                if ASM.search(text):
                    copy = os.path.join(folder, os.path.relpath(path, root).replace(os.sep, "-"))
                    keep(copy, translated(text))
                    entries.append({"name": path, "type": "file", "external-contents": copy})
    path = os.path.join(folder, "overlay.json")
    keep(path, json.dumps({"version": 0, "use-external-names": False, "roots": entries}))
    return path
