import json
from pathlib import Path

import pytest

from indexer.errors import QuestionsError
from indexer.evaluate import evaluate
from indexer.index import Index
from indexer.questions import Evidence, Question, read_questions

CORPUS = Path(__file__).parents[2] / "corpus"


def test_the_sample_site_s_questions_find_their_sections(sample):
    result = evaluate(sample, read_questions(CORPUS / "questions.jsonl"))
    assert result.recall[5].value >= 0.95
    assert result.mrr.value >= 0.80
    assert len(result.misses) == round((1 - result.recall[5].value) * result.n)


def test_the_result_has_the_keys_of_the_contract(sample):
    result = evaluate(sample, read_questions(CORPUS / "questions.jsonl")).as_dict()
    measures = ["recall@1", "recall@3", "recall@5", "recall@10", "mrr", "ndcg@10"]
    assert list(result) == ["n", *measures, "misses"]
    assert all(set(result[each]) == {"value", "low", "high"} for each in measures)
    json.dumps(result)


def test_a_merged_passage_counts_for_every_section_it_holds(folder):
    index, _ = Index.build(folder({"a.md": "# One\n\nx\n\n# `Two` words\n\nzebra"}))
    assert len(index.passages) == 1
    for heading in ("One", "`Two` words", "Two words"):
        asked = Question("q", "zebra", (Evidence("a", heading),))
        assert evaluate(index, [asked]).mrr.value == 1


def test_questions_without_evidence_are_left_out_and_counted(sample):
    asked = Question("q", "cache", (Evidence("kv-cache-sizing", "Paged allocation"),))
    result = evaluate(sample, [asked, Question("none", "cache", ())])
    assert (result.n, result.left_out) == (1, 1)
    with pytest.raises(QuestionsError, match="No question has evidence"):
        evaluate(sample, [Question("none", "cache", ())])


def test_evidence_that_is_in_no_passage_is_named(sample):
    asked = Question("q7", "cache", (Evidence("kv-cache-sizing", "Nowhere"),))
    with pytest.raises(QuestionsError, match="q7: no section `Nowhere`"):
        evaluate(sample, [asked])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", r"q.jsonl:2: not JSON"),
        ("[]", r"q.jsonl:2: not an object"),
        ('{"question": "q", "evidence": []}', r"q.jsonl:2: the field `id` is missing"),
        ('{"id": "a", "question": 3, "evidence": []}', r"q.jsonl:2: the field `question`"),
        ('{"id": "a", "question": "q"}', r"q.jsonl:2: the field `evidence`"),
        ('{"id": "a", "question": "q", "evidence": [{"article": "a"}]}', "evidence 1: .*`heading`"),
    ],
)
def test_a_broken_question_names_file_line_and_field(tmp_path, line, said):
    file = tmp_path / "q.jsonl"
    file.write_text("\n" + line + "\n")
    with pytest.raises(QuestionsError, match=said):
        read_questions(file)


@pytest.mark.parametrize("content", [b"\n\n", b"\xff"])
def test_a_file_without_questions_says_so(tmp_path, content):
    file = tmp_path / "q.jsonl"
    file.write_bytes(content)
    with pytest.raises(QuestionsError, match=r"q\.jsonl"):
        read_questions(file)
