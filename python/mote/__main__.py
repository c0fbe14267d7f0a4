# SPDX-License-Identifier: Apache-2.0
"""Runs the command: `python -m mote devices` is `mote devices`."""

from ._command import main

if __name__ == "__main__":
    main()
