"""The Streamlit views. They read events, and record what a person decides."""
