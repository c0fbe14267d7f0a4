# SPDX-License-Identifier: Apache-2.0
"""Tests the embedding of OpenCL sources: the included files, line numbers, and errors. Prints TAP."""
import os
import re
import subprocess
import sys
import tempfile

EMBED = sys.argv[1]
EVERY_TIME = "/* embed: include every time */\n"


def embed(files, name="a/main.cl"):
    """Returns exit code, messages, flattened text, C file and depfile for files {path: text}."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            full = os.path.join(folder, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.write(text)
        out = os.path.join(folder, "out.c")
        done = subprocess.run(
            [sys.executable, EMBED, "source", "--root", os.path.join(folder, "cl"), "--include",
             os.path.join(folder, "include"), "--depfile", out + ".d", "--output", out, name],
            capture_output=True, text=True, check=False)
        if done.returncode:
            return done.returncode, done.stderr, "", "", ""
        with open(out, encoding="ascii") as file:
            code = file.read()
        with open(out + ".d", encoding="ascii") as file:
            depends = file.read()
    numbers = re.search(r"text\[\] = \{(.*?)\}", code, re.S).group(1)
    data = bytes(int(number) for number in numbers.split(","))
    assert data[-1] == 0
    return 0, done.stderr, data[:-1].decode("ascii"), code, depends


def test_lines_and_paths():
    """#line refers to every file; trailing blanks are removed, comments are kept."""
    _, _, text, code, depends = embed({
        "cl/a/main.cl": '// one\n#include "b/x.clh"\nint main_line;  \n',
        "cl/b/x.clh": '#include "mote/y.h"\nint x;\n',
        "include/mote/y.h": "int y; // why\n"})
    assert text == ('#line 1 "a/main.cl"\n// one\n#line 1 "b/x.clh"\n#line 1 "mote/y.h"\n'
                    'int y; // why\n#line 2 "b/x.clh"\nint x;\n#line 3 "a/main.cl"\n'
                    'int main_line;\n'), text
    assert 'const mote_source mote_cl_a_main = {"a/main.cl", text' in code
    for name in ("cl/a/main.cl", "cl/b/x.clh", "include/mote/y.h"):
        assert name in depends


def test_once():
    """A plain file is pasted once, next to the including file first."""
    _, _, text, _, _ = embed({
        "cl/a/main.cl": '#include "x.clh"\n#include "x.clh"\n#include "y.clh"\n',
        "cl/a/x.clh": "int near;\n", "cl/x.clh": "int far;\n",
        "cl/a/y.clh": '#include "x.clh"\n'})
    assert text.count("int near;") == 1 and "int far;" not in text, text


def test_every_time():
    """A template is pasted at each include."""
    _, _, text, _, _ = embed({
        "cl/a/main.cl": '#define T int\n#include "t.clh"\n#define T float\n#include "t.clh"\n',
        "cl/a/t.clh": EVERY_TIME + "T value;\n"})
    assert text.count("T value;") == 2, text


def test_conditional():
    """A copy inside #if does not count as the one copy; an include guard is not a condition."""
    _, _, text, _, _ = embed({
        "cl/a/main.cl": '#include "g.clh"\n#include "x.clh"\n#include "x.clh"\n',
        "cl/a/g.clh": '#ifndef G\n#define G\n#include "y.clh"\n#if Z\n#include "x.clh"\n#endif\n'
                      '#include "y.clh"\n#endif\n',
        "cl/a/x.clh": "int x;\n", "cl/a/y.clh": "int y;\n"})
    assert text.count("int x;") == 2 and text.count("int y;") == 1, text


def test_system_includes_stay():
    """<...> is left to the compiler of the text."""
    _, _, text, _, _ = embed({"cl/a/main.cl": "#include <stdint.h>\n"})
    assert "#include <stdint.h>\n" in text


def test_errors():
    """Errors name the file and the line."""
    for files, words in (
            ({"cl/a/main.cl": '\n#include "no.clh"\n'}, 'a/main.cl:2: cannot find "no.clh"'),
            ({"cl/a/main.cl": '#include "x.clh"\n',
              "cl/a/x.clh": EVERY_TIME + '#include "x.clh"\n'}, "includes itself"),
            ({"cl/a/main.cl": "// \u00e9\n"}, "not ASCII"),
            ({"cl/a/other.cl": "\n"}, "No such file")):
        code, message, _, _, _ = embed(files)
        assert code != 0 and words in message, (code, message)
        assert "Traceback" not in message


def test_large():
    """The text is longer than any string literal that C guarantees."""
    body = "".join(f"int value_{i};\n" for i in range(20000))
    _, _, text, code, _ = embed({"cl/a/main.cl": body})
    assert text.endswith(body)
    assert max(map(len, code.split("\n"))) < 200


def main():
    """Runs every test."""
    tests = [value for name, value in sorted(globals().items()) if name.startswith("test_")]
    failed = 0
    print(f"1..{len(tests)}")
    for number, test in enumerate(tests, 1):
        try:
            test()
            print(f"ok {number} - {test.__name__}")
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            print(f"not ok {number} - {test.__name__}\n# " + repr(error).replace("\n", "\n# "))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
