"""The page: set-up and navigation. What a view shows is in lab/app."""

import streamlit as st

from lab.app import ask, compare, runs, search
from lab.app.style import ICON, use_style

st.set_page_config(page_title="Site agent lab", page_icon=str(ICON), layout="wide")
use_style()
PAGES = [
    st.Page(ask.view, title="Ask", url_path="ask", default=True),
    st.Page(compare.view, title="Compare", url_path="compare"),
    st.Page(search.view, title="Search", url_path="search"),
    st.Page(runs.view, title="Runs", url_path="runs"),
]
st.navigation(PAGES, position="top").run()
