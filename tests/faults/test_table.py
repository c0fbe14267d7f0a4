# SPDX-License-Identifier: Apache-2.0
"""Checks that every call of the library to OpenCL or for memory has its row in calls.inc."""
import re
import subprocess
import sys

table, library, nm = sys.argv[1:]
rows = set(re.findall(r"^CALL_\w+\((?:(?!cl[A-Z])[\w *]+, )?(\w+)", open(table).read(), re.M))
needed = set(re.findall(r"\bU (\w+)$", subprocess.run([nm, "-u", library], check=True, text=True,
                                                      capture_output=True).stdout, re.M))
heap = r"(malloc|calloc|realloc|reallocarray|free|aligned_alloc|posix_memalign|strn?dup|v?asprintf)$"
used = {name for name in needed if re.match(r"cl[A-Z]", name) or re.match(heap, name)}
missing = sorted(used - rows)
print("1..1")
print(f"{'not ok' if missing or len(used) < 20 else 'ok'} 1 - {len(used)} calls in the table"
      + (f", but not {' '.join(missing)}" if missing else ""))
