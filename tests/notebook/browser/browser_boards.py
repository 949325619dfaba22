"""A board on a page, as one plays on it with the mouse; and servers of pages."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

from cgt_games import Record
from cgt_games.drawing import draw

SCREENSHOTS = Path(__file__).parents[3] / "build" / "screenshots"
WAIT = 180_000
"""Milliseconds that anything on a page may take."""
COUNT = "(board.querySelector('.cgt-moves').textContent.match(/\\d+\\. /g) ?? []).length"
"""How many moves the page tells, in its own language."""


def is_of_the_host(error):
    """Whether an error arose in JupyterLab's own scripts: on a fast machine it throws some when it orders cells."""
    frames = [line for line in (error.stack or "").splitlines() if line.strip().startswith("at ")]
    return bool(frames) and "/static/lab/" in frames[0]


@contextmanager
def browse(browser):
    """A page of its own, which is to have no errors."""
    context = browser.new_context(viewport={"width": 1100, "height": 1000}, accept_downloads=True)
    context.set_default_timeout(WAIT)
    page = context.new_page()
    faults = []
    page.on("pageerror", lambda error: None if is_of_the_host(error) else faults.append(f"{error}\n{error.stack}"))
    try:
        yield page
    except BaseException:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SCREENSHOTS / "failed.png")
        raise
    finally:
        context.close()
    assert not faults, faults


class Board:
    """One board on the page, and the game on it as the page tells it."""

    def __init__(self, page, number, start):
        self.page, self.start = page, start
        self.at = page.locator(".cgt-play").nth(number)
        self.at.scroll_into_view_if_needed()

    @property
    def record(self):
        told = self.at.locator(".cgt-moves").text_content()
        return Record(self.start, tuple(re.findall(r"\d+\. (\S+)", told)))

    def settle(self):
        """Wait until the computer has replied."""
        self.page.wait_for_function("board => !board.classList.contains('cgt-busy')", arg=self.at.element_handle())

    def click(self, place):
        self.at.locator(f'[data-place="{place}"]').click()

    def press(self, words):
        self.at.get_by_role("button", name=words, exact=True).click()

    @property
    def status(self):
        return self.at.locator(".cgt-status").text_content()

    @property
    def said(self):
        return self.at.locator(".cgt-said")

    def has_moved(self, count):
        self.page.wait_for_function(f"([board, count]) => {COUNT} >= count", arg=[self.at.element_handle(), count])
        self.settle()

    def make(self, move):
        """Make a move by clicks; a place may suffice where it leaves no choice."""
        count = len(self.record.moves)
        drawing = draw(self.record.position)
        names = [name for name in drawing.touch(move) if name in drawing.places]
        for number, name in enumerate(names, 1):
            self.click(name)
            touched = f"board.querySelectorAll('.cgt-touched').length === {number}"
            self.page.wait_for_function(
                f"([board, count]) => {touched} || {COUNT} > count", arg=[self.at.element_handle(), count]
            )
            if len(self.record.moves) > count:
                break
        self.has_moved(count + 1)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def served(command, address, folder):
    """A server as long as the block lasts; its files go to ``folder``, and nothing of the user's own is read."""
    own = {
        name: str(folder / name.lower())
        for name in (
            "JUPYTER_CONFIG_DIR",
            "JUPYTER_DATA_DIR",
            "JUPYTER_RUNTIME_DIR",
            "JUPYTERLAB_SETTINGS_DIR",
            "JUPYTERLAB_WORKSPACES_DIR",
            "IPYTHONDIR",
            "XDG_CONFIG_HOME",
            "XDG_CACHE_HOME",
            "XDG_STATE_HOME",
        )
    }
    environment = {**os.environ, **own, "PYTHONWARNINGS": "default", "MARIMO_SKIP_UPDATE_CHECK": "1"}
    log = (folder / "server.log").open("wb")
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
    )
    try:
        for _ in range(240):
            try:
                urllib.request.urlopen(address, timeout=5).close()
                break
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                assert process.poll() is None, (folder / "server.log").read_text()
                time.sleep(0.25)
        else:
            raise AssertionError(f"no answer from {address}: {(folder / 'server.log').read_text()}")
        yield address
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        log.close()
