"""Sphinx configuration: Markdown pages, read with MyST."""

from gaugeblock import __version__

project = "gaugeblock"
author = "The gaugeblock authors"
release = __version__
extensions = ["myst_parser", "sphinxcontrib.mermaid"]
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
myst_fence_as_directive = ["mermaid"]
exclude_patterns = ["_build"]
html_theme = "alabaster"
