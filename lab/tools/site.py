"""The three tools of the lab, over one index. Another site is another index, nothing else."""

from __future__ import annotations

from indexer.index import Index
from lab.tools.calculator import calculate
from lab.tools.read_passage import read_passage
from lab.tools.search_site import search_site
from lab.tools.tool import tool
from lab.tools.toolbox import Toolbox


def site_tools(index: Index) -> Toolbox:
    """search_site, read_passage and calculate."""
    return Toolbox([tool(search_site(index)), tool(read_passage(index)), tool(calculate)])
