import random

import pytest


@pytest.fixture
def seed(record_property):
    """A fresh seed for each run of a test, shown when it fails."""
    value = random.SystemRandom().randrange(2**32)
    record_property("seed", value)
    print("seed", value)
    return value
