"""What the bytes of a page that is not UTF-8 are taken for, in short pages too."""

import pytest

from indexer.encodings import encoding_of

CASES = {
    "French": ("cp1252", "", "# Été\n\nOù est la crème brûlée, déjà servie à Noël?"),
    "Spanish": ("cp1252", "", "El niño comió una piña. ¿Qué pasó después? Son 2º, señor."),
    "Portuguese": ("cp1252", "", "A informação não está disponível; faça a configuração."),
    "Swedish": ("cp1252", "", "Jag åt en räksmörgås på ön i går och såg älgar."),
    "English with one accent": ("cp1252", "", "A “smart” word – and a café."),
    "Polish, short": ("cp1250", "", "Zażółć gęślą jaźń, książka leży na półce."),
    "Polish, long": ("cp1250", "", "To jest zwykła strona o pamięci, która leży obok. " * 9),
    "Czech": ("cp1250", "", "Příliš žluťoučký kůň úpěl ďábelské ódy."),
    "Hungarian, by its language": ("cp1250", "hu", "Az erdő és a mező között nő a fű."),
    "Romanian, by its language": ("cp1250", "ro-RO", "În grădină înfloreşte o floare."),
    "a French name among Polish": ("cp1250", "pl", "Zażółć gęślą jaźń w kawiarni Façade."),
    "Russian": ("cp1251", "", "Этот русский текст в старой кодировке."),
    "Russian on a page of Japan": ("cp1251", "ja", "Этот русский текст в старой кодировке."),
    "Japanese, by its language": ("euc_jp", "ja", "これは日本語の文章です。正しく読めるはずです。"),
    "Korean": ("cp949", "", "이것은 한국어로 쓰여진 문서입니다. 올바르게 읽혀야 합니다."),
    "UTF-8": ("utf-8", "", "Größe and naïve, Wörter über Äpfel."),
    "UTF-8, quotes": ("utf-8", "", "An en–dash, “quotes”, it’s."),
}
BAD = {"utf-8": b" bad \xe9 byte"}


@pytest.mark.parametrize(("encoding", "language", "text"), CASES.values(), ids=CASES)
def test_a_page_is_taken_for_what_gives_its_text_back(encoding, language, text):
    raw = text.encode(encoding) + BAD.get(encoding, b"")
    read = raw.decode(encoding_of(raw, language), "replace")
    assert read == text + BAD.get(encoding, b"").decode("utf-8", "replace")
