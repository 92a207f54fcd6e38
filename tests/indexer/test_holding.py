from threading import Thread

from hypothesis import given
from hypothesis import strategies as st

from indexer import holding as module
from indexer.holding import holding
from indexer.stopwords import STOP_WORDS
from indexer.terms import word_terms

WORDS = st.sets(st.one_of(st.text(min_size=1), st.sampled_from(["kv-cache", "caches,", "4,096"])))


@given(WORDS, st.data(), st.sampled_from(["en", "de", "de:", "ja", *STOP_WORDS]))
def test_words_hold_what_their_terms_are_whether_they_were_met_or_not(words, data, language):
    own = {word: set(word_terms(word, language)) for word in words}
    anywhere = sorted(set().union({"cach", "4096"}, *own.values()))
    wanted = set(data.draw(st.lists(st.sampled_from(anywhere))))
    expected = {word: terms & wanted for word, terms in own.items() if terms & wanted}
    assert holding(words, wanted, language) == expected
    assert holding(words, wanted, language) == expected


def test_words_that_are_not_remembered_hold_their_terms_each_time(monkeypatch):
    monkeypatch.setattr(module, "MOST_WORDS", 0)
    [term], long = word_terms("tide", "no"), "tide" + "-key" * 40
    for _ in range(2):
        assert holding({"tide,", "newly"}, [term], "no") == {"tide,": {term}}
        assert holding({long}, [term, "zz"], "no") == {long: {term}}


def test_what_is_given_is_the_caller_s_own():
    holding({"caches"}, ["cach"])["caches"].clear()
    assert holding({"caches"}, ["cach"]) == {"caches": {"cach"}}


def test_a_word_another_thread_meets_at_the_same_time_is_found_by_all_its_terms():
    words = [f"tide{at}-table{at}" for at in range(400)]
    wanted = {term for word in words for term in word_terms(word, "sv")}
    expected = {word: set(word_terms(word, "sv")) for word in words}
    found = []

    def ask():
        found.extend(holding({word}, wanted, "sv") for word in words)

    threads = [Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 * len(words)
    assert all(found.count({word: expected[word]}) == 4 for word in words)
