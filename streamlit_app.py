"""The page: set-up and navigation. What a view shows is in lab/app."""

import streamlit as st

from lab.app import state
from lab.app.ask import page as ask
from lab.app.be import page as be
from lab.app.compare import page as compare
from lab.app.models import page as models
from lab.app.runs import page as runs
from lab.app.search import page as search
from lab.app.style import ICON, use_style

st.set_page_config(page_title="Site agent lab", page_icon=str(ICON), layout="wide")
use_style()
PAGES = [
    st.Page(ask.view, title="Ask", url_path="ask", default=True),
    st.Page(compare.view, title="Compare", url_path="compare"),
    st.Page(be.view, title="Be the model", url_path="be"),
    st.Page(search.view, title="Search", url_path="search"),
    st.Page(runs.view, title="Runs", url_path="runs"),
    st.Page(models.view, title="Models", url_path="models"),
]
state.know_pages(PAGES)
st.navigation(PAGES, position="top").run()
