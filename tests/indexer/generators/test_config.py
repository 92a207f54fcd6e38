"""What a configuration says is read without running it, whatever language it is written in."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.generators import config_javascript, config_python
from indexer.generators.config import read_config

JAVASCRIPT = {
    "a value by default": ("export default {title: 'A'}", {"title": "A"}),
    "CommonJS": ('module.exports = {"title": "A", dev: false}', {"title": "A", "dev": False}),
    "a name that is exported": ("const a = {title: `A`}\nexport default a", {"title": "A"}),
    "with a type": ("const a: Config = {title: 'A'} satisfies C\nexport default a", {"title": "A"}),
    "what a call is given": ("export default defineConfig({title: 'A'})", {"title": "A"}),
    "calls within calls": ("export default a(b({title: 'A'}))", {"title": "A"}),
    "what a function returns": (
        "module.exports = function (set) { set.addFilter('x'); return {dir: {input: 'src'}} }",
        {"dir": {"input": "src"}},
    ),
    "an arrow function": ("export default () => ({title: 'A'})", {"title": "A"}),
    "a function by name": (
        "export default async function make() { return {title: 'A'} }",
        {"title": "A"},
    ),
    "a config of its own": (
        "export default function (set) {}\nexport const config = {dir: {input: 'src'}}",
        {"dir": {"input": "src"}},
    ),
    "a setter": (
        "export default function (set) { set.setInputDirectory('content') }",
        {"setInputDirectory": "content"},
    ),
    "a setter of a truth value": ("set.setUseGitIgnore(false)", {"setUseGitIgnore": False}),
    "what is added to a set": (
        "export default (set) => { set.ignores.add('a'); set.ignores?.add(`b`); seen.add(x) }",
        {"ignores": ["a", "b"]},
    ),
    "the options of plugins": (
        "import b from 'b'; import c from './c'\nconst given = {x: b, y: () => {}, z(s) {}}\n"
        "export default (md) => { md.use(require('a')).use(b, given).use(c, {})"
        ".use(require('d').default, {...e}) }",
        {"a": {}, "b": {"x": "b", "y": None, "z": None}, "d": {"...": None}},
    ),
    "names of a function": (
        "module.exports = (set) => { const input = 'src'; return {dir: {input}} }",
        {"dir": {"input": "src"}},
    ),
    "names in place of values": (
        "const base = '/x/'\nconst title = 'A'\nexport default {base: base, title}",
        {"base": "/x/", "title": "A"},
    ),
    "objects that are spread": (
        "const common = {lang: 'de'}\nexport default {...common, title: 'A'}",
        {"lang": "de", "title": "A"},
    ),
    "what stands in for the environment": (
        "export default {base: process.env.BASE || '/x/', url: process.env.URL ?? 'https://u'}",
        {"base": "/x/", "url": "https://u"},
    ),
    "a sum of texts": ("const a = 'b'\nexport default {c: a + '/d'}", {"c": "b/d"}),
    "what only running tells": (
        "export default {a: `${x}`, b: f(), c: x ? 'y' : 'z', d: x + 'y', e: 'kept'}",
        {"e": "kept"},
    ),
    "what a function makes of what it is given": (
        "export default {a: (x) => false, b: x => 'y', c(x) { return 'z' }, d: () => 'kept'}",
        {"d": "kept"},
    ),
    "lists, and what is no value in them": (
        "export default {a: ['x', f, ['y', {z: true}]]}",
        {"a": ["x", ["y", {"z": True}]]},
    ),
    "comments, escapes and quotes": (
        "export default { // title: 'B'\n title: 'It\\'s \\u0041', /* lang: 'x' */ }",
        {"title": "It's A"},
    ),
    "escapes of every form": (
        r"export default {a: '\x41\u{1F600}\ud83d\ude00\n\q\u{110000}'}",
        {"a": "A\U0001f600\U0001f600\nq"},
    ),
    "half a character": (r"export default {a: '\ud800!'}", {"a": "?!"}),
    "names that lead in a circle": ("const a = b, b = a\nexport default {a, c: 'd'}", {"c": "d"}),
    "not a program": ("{{{ ]] 'unfinished", {}),
    "nothing": ("", {}),
}

PYTHON = {
    "texts and truth": ("project = 'A'\nnitpicky = True", {"project": "A", "nitpicky": True}),
    "lists": ("a = ['b', ('c', f())]", {"a": ["b", ["c"]]}),
    "dictionaries": ("a = {'.rst': 'x', b: 'y'}", {"a": {".rst": "x"}}),
    "names": ("a = 'b'\nc = [a, 'd']", {"a": "b", "c": ["b", "d"]}),
    "what is added": ("a = ['b']\na += ['c']", {"a": ["b", "c"]}),
    "what is added and unknown": ("a = ['b'] + more", {"a": ["b"]}),
    "with a type": ("a: str = 'b'", {"a": "b"}),
    "what a function is given": ("globals().update(made(__file__, a='b', c=d))", {"a": "b"}),
    "what only running tells": ("a = f'{x}'\nb = version()\nc = 'd'", {"c": "d"}),
}


@pytest.mark.parametrize(("text", "said"), JAVASCRIPT.values(), ids=JAVASCRIPT)
def test_a_program_in_javascript_says_what_it_exports(text: str, said: dict[str, Any]) -> None:
    assert config_javascript.values_in(text) == said


@pytest.mark.parametrize(("text", "said"), PYTHON.values(), ids=PYTHON)
def test_a_program_in_python_says_what_its_names_hold(text: str, said: dict[str, Any]) -> None:
    assert config_python.values_in(text) == said


def test_what_is_no_python_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "conf.py").write_text("print 'Python 2'")
    assert read_config(tmp_path / "conf.py") == {}


IMPORTS = {
    "a name": ("import { a } from './a'\nexport default {...a}", {"title": "A"}),
    "a name under another": ("import { a as b } from './a.js'\nexport default b", {"title": "A"}),
    "the default": ("import a from './more'\nexport default {...a}", {"lang": "de"}),
    "what another imports": ("import { b } from './more'\nexport default b", {"title": "A"}),
    "a circle": ("import { c } from './c'\nexport default {c, d: true}", {"d": True}),
    "what is not there": ("import { d } from './d'\nexport default {d, e: 'f'}", {"e": "f"}),
    "a package": ("import { a } from 'a'\nexport default {a, e: 'f'}", {"e": "f"}),
    "what lies outside": ("import { a } from '../out'\nexport default {a, e: 'f'}", {"e": "f"}),
    "a folder above": ("import { a } from '../..'\nexport default {a, e: 'f'}", {"e": "f"}),
}


@pytest.mark.parametrize(("text", "said"), IMPORTS.values(), ids=IMPORTS)
def test_a_program_may_import_others_of_its_folder(
    text: str, said: dict[str, Any], tmp_path: Path
) -> None:
    site = tmp_path / "site"
    (site / "more").mkdir(parents=True)
    (site / "a.ts").write_text("export const a = defineConfig({title: 'A'})")
    (site / "c.js").write_text("import { d } from './c.js'\nexport const c = d\nexport { c as d }")
    (site / "more/index.mts").write_text(
        "export { a as b } from '../a'\nexport default {lang: 'de'}"
    )
    (tmp_path / "out.ts").write_text("export const a = {title: 'out'}")
    (site / "config.mts").write_text(text)
    assert read_config(site / "config.mts") == said


def test_a_program_imports_no_more_than_fifty_others(tmp_path: Path) -> None:
    for n in range(100):
        (tmp_path / f"{n}.js").write_text(
            f"import {{ a }} from './{n + 1}'\nconst b = {{...a, k{n}: true}}\nexport {{ b as a }}"
        )
    assert len(read_config(tmp_path / "0.js")) == 0
    (tmp_path / "c.js").write_text("import { a } from './0'\nexport default a")
    assert len(read_config(tmp_path / "c.js")) == 50


@given(st.text())
def test_any_text_is_read_as_a_program(text: str) -> None:
    assert isinstance(config_javascript.values_in(text), dict)


VALUES = st.recursive(
    st.booleans() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(st.dictionaries(st.text(min_size=1), VALUES))
def test_what_is_written_as_json_is_read_as_it_is(values: dict[str, Any]) -> None:
    assert config_javascript.values_in(f"export default {json.dumps(values)}") == values


def test_a_program_nested_beyond_reason_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.config.js").write_text("export default " + "[" * 100_000)
    assert read_config(tmp_path / "a.config.js") == {}
