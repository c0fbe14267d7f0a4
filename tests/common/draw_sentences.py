#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws sentences at random from comments and documents, so that an editor can judge how the project is written.

    draw_sentences.py [--seed N] [--count 200] [--area headers|guides|src|cl|tests|tool|python]

The sentences come from comments in C, C++, OpenCL C and Python, docstrings, Markdown, the manual page, and the texts of
the command (`--help` and messages). Blocks of code, licence lines and texts of fewer than four words are omitted. Each
line of the output is FILE:LINE: SENTENCE. The same seed draws the same sentences from the same files.
"""

import argparse
import io
import os
import random
import re
import shlex
import subprocess
import tokenize

AREAS = {"include": "headers", "src": "src", "cl": "cl", "testkit": "tests", "tests": "tests", "bench": "tests",
         "tool": "tool", "python": "python", "clients": "python", "examples": "python"}  # Markdown is "guides"
C_FILES = (".c", ".h", ".cpp", ".hpp", ".cl", ".clh")
C_TOKEN = re.compile(r'(/\*.*?\*/)|//[^\n]*|((?:"(?:\\.|[^"\\\n])*"\s*)+)|\'(?:\\.|[^\'\\\n])+\'', re.S)
DECORATION = re.compile(r"^\s*(/\*+<?|\*(?!/)|#+:?|>)?(?P<indent> *)(?P<text>.*?)\s*(\*/)?$")
BREAK = re.compile(r"^([-*]|\d+\.|[@:.]\w+) |^[A-Z][\w ]*:$|^#")
INITIALS = re.compile(r"^\W*([A-Z]|e\.g|i\.e|al|vs|cf|pp)\.$")
FORMAL = re.compile(r"SPDX|clang-format (on|off)|^(Form|Defines|Optional):|NOLINT|noqa|pylint")


def comment(text, line):
    """Yields the lines of a comment or docstring as (line, text); code, which is indented by four spaces, becomes an
    empty line."""
    for number, part in enumerate(text.split("\n"), line):
        found = DECORATION.match(part)
        yield number, "" if len(found["indent"]) > 4 and number > line else found["text"]


def from_c(text, strings):
    """Yields the lines of comments in C and, on request, of string literals."""
    for found in C_TOKEN.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        if found[1]:
            yield from comment(found[1], line)
        elif found[2] and strings and not found[2].startswith('"%'):
            joined = "".join(re.findall(r'"((?:\\.|[^"\\])*)"', found[2]))
            yield from ((line, part) for part in joined.replace('\\"', '"').split("\\n"))
        yield line, ""


def from_python(text):
    """Yields the lines of docstrings and comments in Python; consecutive comments belong together."""
    last, begins = 0, True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            if token.start[0] != last + 1:
                yield token.start[0], ""
            last = token.start[0]
            yield last, token.string.lstrip("#! ")
        elif token.type == tokenize.STRING and begins and '"""' in token.string:
            yield token.start[0], ""
            body = re.sub(r'^\w?"""|"""$', "", token.string)
            margin = re.search(r"\n( *)\S", body)
            body = body.replace("\n" + margin[1], "\n") if margin else body
            for number, part in enumerate(body.split("\n"), token.start[0]):
                yield number, "" if part.startswith("    ") or ">>>" in part else part.strip()
            yield token.end[0], ""
        begins = token.type in (tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT)


def from_markdown(text):
    """Yields the lines of Markdown; each cell of a table becomes a paragraph."""
    code = False
    for number, part in enumerate(text.split("\n"), 1):
        code ^= part.lstrip().startswith("```")
        if part.startswith("|"):
            yield from ((number, piece) for cell in part.split("|") for piece in (cell.strip(), ""))
        else:
            yield number, "" if code or part.lstrip().startswith(("```", "![", "<")) else part.strip()


def from_manual(text):
    """Yields the lines of the manual page without its macros."""
    code = False
    for number, part in enumerate(text.split("\n"), 1):
        code = part.startswith((".nf", ".EX")) or code and not part.startswith((".fi", ".EE"))
        font = re.match(r"\.(B|I|BR|RB|IR|RI|BI|IB) (.*)", part)
        if font:
            part = ("" if len(font[1]) == 2 else " ").join(shlex.split(font[2].replace("'", "\\'")))
        yield number, "" if code or part.startswith(".") else re.sub(r"\\f.|\\(?=-)", "", part).replace("\\(aq", "'")


def sentences(lines):
    """Yields each sentence as a list of (line, word); an empty line ends a paragraph."""
    words = []
    for number, text in [*lines, (0, "")]:
        pieces = text.split()
        if words and (not pieces or BREAK.match(text)):
            yield words
            words = []
        for word in pieces:
            if (words and re.search(r"[.!?][)\"'`*]*$", words[-1][1]) and re.match(r"[\"'`(*\[]*[A-Z0-9_`]", word)
                    and not INITIALS.match(words[-1][1])):
                yield words
                words = []
            words.append((number, word))


def read(root, path):
    """Yields the sentences of a file as (path, line, text)."""
    with open(os.path.join(root, path), encoding="utf-8") as file:
        text = file.read()
    if path.endswith(C_FILES):
        lines = from_c(text, path.startswith("tool/"))
    elif path.endswith((".py", ".pyi")):
        lines = from_python(text)
    else:
        lines = from_manual(text) if path.endswith(".1") else from_markdown(text)
    for words in sentences(lines):
        text = " ".join(word for _, word in words)
        if len(re.findall(r"[A-Za-z]{2,}", text)) >= 4 and not FORMAL.search(text):
            yield path, words[0][0], text


def area_of(path):
    """Returns the area of a file, or None for a file that this program does not read."""
    if path.endswith(".md"):
        return "guides" if path != "CHANGELOG.md" else None
    return AREAS.get(path.split("/")[0]) if path.endswith((*C_FILES, ".py", ".pyi", ".1")) else None


def main():
    """Prints the drawn sentences in the order of files and lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--area", choices=sorted({*AREAS.values(), "guides"}))
    args = parser.parse_args()
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    files = subprocess.run(["git", "-C", root, "ls-files"], check=True, capture_output=True, text=True).stdout
    found = [sentence for path in sorted(files.split("\n")) if area_of(path) and args.area in (None, area_of(path))
             for sentence in read(root, path)]
    for path, line, text in sorted(random.Random(args.seed).sample(found, min(args.count, len(found)))):
        print(f"{path}:{line}: {text}")


if __name__ == "__main__":
    main()
