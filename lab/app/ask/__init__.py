"""The Ask page: a question, its answer, its trace, its context."""
