"""What the commands of games share with those of the house: wrong words are answered by one line."""

from __future__ import annotations

import argparse
from typing import NoReturn

from cgt_games.position import CGTError


class UsageError(CGTError, ValueError):
    """A command line, or a line of a batch, that asks for nothing that can be done."""


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are exceptions of one line."""

    def error(self, message: str) -> NoReturn:
        """Raise :class:`UsageError` instead of printing the usage and leaving the process."""
        raise UsageError(f"{message} (see {self.prog} --help)")
