"""A real browser, JupyterLab and marimo for the tests of the notebook board; skipped where one of them is missing."""

from __future__ import annotations

import shutil
import sys

import pytest
from browser_boards import SCREENSHOTS, free_port, served

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-prefers-reduced-motion",
]


@pytest.fixture(scope="session")
def browser():
    """The machine's own Chromium, without a window."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is missing: make test-browser")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        pytest.skip("no Chromium on this machine")
    with playwright.sync_playwright() as tool:
        chromium = tool.chromium.launch(executable_path=found, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def take():
    """Writes a screenshot of a page or a part of it."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)

    def screenshot(what, name):
        what.screenshot(path=SCREENSHOTS / f"{name}.png")

    return screenshot


@pytest.fixture(scope="session")
def jupyter(tmp_path_factory):
    """The address of a JupyterLab, and the folder that it shows."""
    pytest.importorskip("jupyterlab", reason="jupyterlab is missing: make test-browser")
    folder = tmp_path_factory.mktemp("jupyter")
    settings = folder / "jupyterlab_settings_dir" / "@jupyterlab"
    for name, text in {
        "notebook-extension/tracker": '{"windowingMode": "none"}',  # cells out of sight shall stay in the page
        "apputils-extension/notification": '{"fetchNews": "false", "checkForUpdates": false}',
    }.items():
        file = settings / f"{name}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    port = free_port()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}", "--ip=127.0.0.1"]
    command += ["--ServerApp.token=", "--ServerApp.password=", "--expose-app-in-browser", f"--notebook-dir={folder}"]
    with served(command, f"http://127.0.0.1:{port}/lab", folder) as address:
        yield address, folder
