"""English words too common to tell passages apart. Knows no queries."""

_WORDS = """
a about an and any are as at be been but by can could did do does for from had has have he her
his how i if in into is it its me my no not of on or our she should so such than that the their
them then there these they this those to was we were what when where which who why will with
would you your
"""

STOP_WORDS = frozenset(_WORDS.split())
"""In lower case, as they are written."""
