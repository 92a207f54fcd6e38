"""MDX: what components are given to say is text, and code that they are given is code."""

import pytest

from indexer.generators.common import MDX
from indexer.markup.clean import clean

CASES = {
    "code in an attribute": ("<Code code={`<b>a</b>\n  b`} lang='x' />", "    <b>a</b>\n      b"),
    "code after other attributes": ('<Ex a="b" c={[d]} code={`e`} />', "    e"),
    "code that is computed in part": ("<Code code={`a ${b} \\`c\\``} />", "    a ${b} `c`"),
    "code with a heading's sign": ("a\n\n<Code code={`# b\n- c`} />", "a\n\n    # b\n    - c"),
    "an import over two lines": ("import a from\n'./a.png';\n\nb", "\n\n\nb"),
    "an example of it": ("```\n<Code code={`a`} />\n```", "```\n<Code code={`a`} />\n```"),
    "texts that are shown": ('<Card title="a" description="b" href="c" />', "a b"),
    "children as an attribute": ('<Button children="Next" />', "Next"),
}


@pytest.mark.parametrize(("text", "left"), CASES.values(), ids=CASES)
def test_what_is_left_of_a_component(text: str, left: str) -> None:
    assert clean(text, MDX)[0] == left
