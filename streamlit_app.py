"""The page: set-up and navigation. What a view shows is in lab/app."""

import streamlit as st

from lab.app import ask
from lab.app.style import ICON, use_style

st.set_page_config(page_title="Site agent lab", page_icon=str(ICON), layout="wide")
use_style()
st.navigation([st.Page(ask.view, title="Ask", url_path="ask", default=True)], position="top").run()
