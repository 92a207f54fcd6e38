"""The Compare page: one question, several models side by side."""
