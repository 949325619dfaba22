"""Sphinx: how the documentation is built; ``make docs``."""

from cgt_games import __version__

project = "cgt_games"
version = release = __version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.doctest", "sphinx.ext.viewcode"]
html_theme = "furo"
html_title = f"cgt_games {release}"
exclude_patterns = ["_build", "**/.*"]
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autoclass_content = "class"
myst_heading_anchors = 3
nb_execution_mode = "off"  # the tests execute the notebooks; here their committed outputs are shown
