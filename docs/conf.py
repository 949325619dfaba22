"""Sphinx: how the documentation is built; ``make docs``."""

from docutils import nodes
from sphinx.application import Sphinx

from cgt_games import __version__

project = "cgt_games"
version = release = __version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.doctest", "sphinx.ext.viewcode"]
html_show_copyright = False
html_theme = "furo"
pygments_dark_style = "github-dark"
html_title = f"cgt_games {release}"
html_static_path = ["static"]
html_css_files = ["extra.css"]
exclude_patterns = ["_build", "**/.*"]
default_role = "code"
toc_object_entries_show_parents = "hide"
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autoclass_content = "class"
viewcode_follow_imported_members = False  # else the sources list the home of inherited attributes, such as builtins
myst_heading_anchors = 3
nb_execution_mode = "off"  # the tests execute the notebooks; here their committed outputs are shown


def without_last_blank_lines(app: Sphinx, doctree: nodes.document) -> None:
    """Doctests end with a blank line, which the tests need and readers do not."""
    for block in doctree.findall(nodes.literal_block):
        text = block.astext()
        if text != text.rstrip():
            block.children = []
            block += nodes.Text(text.rstrip())
            block.rawsource = text.rstrip()


def setup(app: Sphinx) -> None:
    """Sphinx calls this."""
    app.connect("doctree-read", without_last_blank_lines)
