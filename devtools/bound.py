"""Becomes another program that gets a signal when the process that started it ends.

Run as a file: `bound.py SIGNAL PARENT UID GID PROGRAM ARGUMENT…`; a UID of -1 keeps the user.
A program in between, since code run between fork and exec is unsafe once a process has threads.
"""

from __future__ import annotations

import ctypes
import os
import sys

PR_SET_PDEATHSIG = 1


def main(death_signal: int, parent: int, uid: int, gid: int, command: list[str]) -> int:
    """Replace this process by the command; returns an exit code only when it cannot."""
    if uid >= 0:
        os.setgroups([])
        os.setgid(gid)
        os.setuid(uid)
    if sys.platform == "linux":
        # After the change of user, which clears the death signal.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, death_signal)
    if os.getppid() != parent:
        return 1
    try:
        os.execv(command[0], command)  # noqa: S606 - a shell is what this avoids
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
    return 127


if __name__ == "__main__":
    death_signal, parent, uid, gid = map(int, sys.argv[1:5])
    sys.exit(main(death_signal, parent, uid, gid, sys.argv[5:]))
