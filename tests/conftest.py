"""Settings of all tests."""

from __future__ import annotations

import signal

from hypothesis import settings

# A job in the background of a shell ignores Ctrl-C, and so would the tests of it (and the processes that they start).
signal.signal(signal.SIGINT, signal.default_int_handler)

# Machines that run tests are of all speeds, so no example may fail for being slow.
settings.register_profile("default", deadline=None)
settings.load_profile("default")
