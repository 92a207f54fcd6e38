"""A model elsewhere: a person on the page Be the model, or the model of the visitor's browser."""
