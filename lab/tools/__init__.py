"""The tools a model may use, and the box that describes and runs them."""
