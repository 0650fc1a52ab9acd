"""Sphinx configuration: Markdown pages, read with MyST."""

from gaugeblock import __version__

project = "gaugeblock"
author = "The gaugeblock authors"
release = __version__
extensions = ["myst_parser"]
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
exclude_patterns = ["_build"]
html_theme = "alabaster"
