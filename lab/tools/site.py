"""The three tools of the lab, over one index. Another site is another index, nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lab.tools.calculator import calculate
from lab.tools.read_passage import read_passage
from lab.tools.search_site import search_site
from lab.tools.tool import tool
from lab.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from indexer.index import Index


def site_tools(index: Index) -> Toolbox:
    """search_site, read_passage and calculate."""
    return Toolbox([tool(search_site(index)), tool(read_passage(index)), tool(calculate)])
