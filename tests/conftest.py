"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

# Machines that run tests are of all speeds, so no example may fail for being slow.
settings.register_profile("default", deadline=None)
settings.load_profile("default")
