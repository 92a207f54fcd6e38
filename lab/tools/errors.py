"""The one fault a tool reports to the model. It knows no tool and no run."""


class ToolError(Exception):
    """A fault the model can act on; its message goes back as the tool's result."""
