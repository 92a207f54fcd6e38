"""What is particular to each site generator: one module each, mostly data. Knows no passages."""
