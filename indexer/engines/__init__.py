"""What scores the passages of an index by terms: one seam, three engines behind it."""
