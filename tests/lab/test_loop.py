"""The loop: what each kind of reply leads to, who is asked, and what a reader sees."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

import pytest

from lab.events import (
    Asked,
    ConsentGiven,
    ModelAsked,
    ModelFailed,
    ModelReplied,
    Noticed,
    Reopened,
    StopAsked,
    ToolFinished,
    ToolStarted,
    TurnEnded,
)
from lab.loop import FAULTS_IN_A_ROW, NeedConsent, NeedReply, advance, next_need
from lab.messages import Conversation, Exchange, Notice, Reply, ToolCall
from lab.models.scripted import Scripted
from lab.run import Run
from lab.settings import Limits
from lab.tools.toolbox import Toolbox

ECHO = ToolCall("", "echo", {"text": "x"})
SEND = ToolCall("", "send", {"to": "me"})
ANSWER = Reply("It is this.")
FAULTY = Reply("", fault="Your reply is empty.")

Begun = Callable[..., Run]
Drive = Callable[..., Run]
Tools = Callable[..., Toolbox]


@pytest.mark.parametrize(
    ("replies", "end"),
    [
        ([ANSWER], TurnEnded("answered", "It is this.")),
        ([Reply("It is this.", stop="tools")], TurnEnded("answered", "It is this.")),
        ([Reply("", (ECHO,), stop="answer"), ANSWER], TurnEnded("answered", "It is this.")),
        ([Reply("", (ECHO,), stop="unknown"), ANSWER], TurnEnded("answered", "It is this.")),
        ([Reply("Wait.", stop="paused"), ANSWER], TurnEnded("answered", "It is this.")),
        ([Reply("", (ECHO,), stop="cut"), ANSWER], TurnEnded("answered", "It is this.")),
        (
            [Reply("It is", stop="cut")],
            TurnEnded("cut off", "It is", "The output limit cut the answer off."),
        ),
        ([Reply("", stop="refused")], TurnEnded("refused", "", "The model refused to answer.")),
        (
            [Reply("No.", (ECHO,), stop="refused", detail="It is a secret.")],
            TurnEnded("refused", "No.", "It is a secret."),
        ),
        (
            [Reply("Hm.", stop="unknown", stop_raw="tired")],
            TurnEnded("format", "Hm.", "The endpoint gave an unknown stop reason: 'tired'."),
        ),
        ([FAULTY, FAULTY, ANSWER], TurnEnded("answered", "It is this.")),
        (
            [FAULTY] * FAULTS_IN_A_ROW,
            TurnEnded("format", "", "3 unusable replies in a row. Your reply is empty."),
        ),
        (
            [FAULTY, FAULTY, Reply("", (ECHO,)), FAULTY, FAULTY, ANSWER],
            TurnEnded("answered", "It is this."),
        ),
        ([], TurnEnded("failed", "", "scripted: the script has only 0 replies.")),
    ],
)
def test_a_reply_leads_to_its_end(
    replies: list[Reply], end: TurnEnded, begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    assert drive(begun(), Scripted(replies), small_tools()).end() == end


@pytest.mark.parametrize(
    ("stop", "why"),
    [("cut", "Not run: the reply was cut off"), ("refused", "Not run: the reply was a refusal.")],
)
def test_calls_of_a_cut_or_refused_reply_never_run(
    stop: str, why: str, begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    log: list[str] = []
    reply = Reply("", (ECHO, SEND), stop=stop)  # type: ignore[arg-type]
    run = drive(begun(), Scripted([reply, ANSWER]), small_tools(log))
    assert log == []
    results = [e for e in run.events if isinstance(e, ToolFinished)]
    assert [(e.failed, e.content.startswith(why)) for e in results] == [(True, True)] * 2


def test_a_fault_is_told_to_the_model_after_its_reply(
    begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    run = drive(begun(), Scripted([FAULTY, ANSWER]), small_tools())
    assert list(run.messages())[2] == Notice("Your reply is empty.")


def test_a_fault_is_told_even_where_something_else_was_noticed_before(
    begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    model, tools = Scripted([FAULTY, ANSWER]), small_tools()
    run = begun()
    list(islice(advance(run, model, tools, Limits()), 2))
    run = begun(run.recorded)
    run.record(Noticed("index changed", "The site's index changed."))
    drive(run, model, tools)
    assert Notice("Your reply is empty.") in list(run.messages())


def test_a_tool_with_effects_waits_for_a_person(begun: Begun, small_tools: Tools) -> None:
    log: list[str] = []
    run, tools, model = begun(), small_tools(log), Scripted([Reply("", (SEND,)), ANSWER])
    assert not any(isinstance(e, ToolStarted) for e in advance(run, model, tools, Limits()))
    need = next_need(run, tools, Limits())
    assert isinstance(need, NeedConsent)
    assert need.call.arguments == {"to": "me"}
    assert list(advance(run, model, tools, Limits())) == []
    assert log == []


def test_a_denial_becomes_a_failed_result_and_the_model_goes_on(
    begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    log: list[str] = []
    model = Scripted([Reply("", (SEND,)), ANSWER])
    run = drive(
        begun(), model, small_tools(log), decide=lambda call: ConsentGiven(call.id, allowed=False)
    )
    [result] = [e for e in run.events if isinstance(e, ToolFinished)]
    assert (result.failed, result.content) == (
        True,
        "Not run: the person did not approve this call.",
    )
    assert log == []
    assert run.end() == TurnEnded("answered", "It is this.")


@pytest.mark.parametrize("always", [False, True])
def test_a_tool_that_may_have_run_is_asked_about_again(
    always: bool, begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    log: list[str] = []
    model, tools = Scripted([Reply("", (SEND,)), ANSWER]), small_tools(log)
    run = drive(begun(), None, tools)
    for _ in advance(run, model, tools, Limits()):
        pass
    [waiting] = run.open_calls()
    run.record(ConsentGiven(waiting.id, allowed=True, always=always))
    run.record(ToolStarted(waiting.id))  # and here the process died
    assert next_need(run, tools, Limits()) == NeedConsent(waiting)
    run.record(ConsentGiven(waiting.id, allowed=True))
    drive(run, model, tools, decide=lambda call: pytest.fail("asked a third time"))
    assert log == ["send me"]


def test_always_covers_later_calls_of_the_same_tool_in_that_run_only(
    begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    replies = [Reply("", (SEND, SEND)), Reply("", (SEND,)), ANSWER]
    for _ in range(2):
        asked: list[str] = []

        def decide(call: ToolCall, asked: list[str] = asked) -> ConsentGiven:
            asked.append(call.id)
            return ConsentGiven(call.id, allowed=True, always=True)

        log: list[str] = []
        drive(begun(), Scripted(replies), small_tools(log), decide=decide)
        assert log == ["send me"] * 3
        assert asked == ["call_1"]


def test_a_single_yes_covers_its_own_call_only(
    begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    run = drive(begun(), Scripted([Reply("", (SEND, SEND)), ANSWER]), small_tools())
    assert sum(isinstance(e, ConsentGiven) for e in run.events) == 2


def test_without_a_model_the_run_waits_for_a_reply_from_elsewhere(
    begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    tools = small_tools()
    run = drive(begun(), None, tools)
    assert next_need(run, tools, Limits()) == NeedReply(run.conversation())
    run.record(
        ModelReplied(run.step(), Reply("", (ToolCall("a", "echo", {"text": "x"}),)), Exchange())
    )
    drive(run, None, tools)
    assert next_need(run, tools, Limits()) == NeedReply(run.conversation())
    run.record(ModelReplied(run.step(), ANSWER, Exchange()))
    assert drive(run, None, tools).end() == TurnEnded("answered", "It is this.")


def test_advance_yields_what_it_recorded_after_it_recorded_it(
    begun: Begun, small_tools: Tools
) -> None:
    run = begun()
    model = Scripted([FAULTY, Reply("", (ECHO, ECHO)), ANSWER])
    for place, event in enumerate(advance(run, model, small_tools(), Limits()), start=2):
        assert run.events[place] is event
    assert place == len(run) - 1


def test_a_reader_may_drop_the_generator_at_any_event(
    begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    model = Scripted([FAULTY, Reply("", (ECHO, ECHO)), ANSWER])
    whole = drive(begun(), model, small_tools())
    for taken in range(len(whole)):
        log: list[str] = []
        run, tools = begun(), small_tools(log)
        list(islice(advance(run, model, tools, Limits()), taken))
        drive(run, model, tools)
        assert list(run.messages()) == list(whole.messages())
        assert log == ["echo x", "echo x"]


def test_a_failed_call_ends_the_question_and_a_person_can_go_on(
    begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    tools = small_tools()
    run = drive(begun(), Scripted([Reply("", (ECHO,))]), tools)
    assert any(isinstance(e, ModelFailed) for e in run.events)
    before = list(run.messages())
    run.record(Reopened())
    drive(run, Scripted([Reply("", (ECHO,)), ANSWER]), tools)
    assert run.end() == TurnEnded("answered", "It is this.")
    assert list(run.messages())[: len(before)] == before


@pytest.mark.parametrize(
    ("limits", "stops", "end"),
    [(Limits(), True, "stopped"), (Limits(seconds=1e-9), False, "time limit")],
)
def test_a_request_that_may_not_leave_any_more_ends_the_question(
    limits: Limits, stops: bool, end: str, begun: Begun, small_tools: Tools
) -> None:
    run = begun()
    if stops:
        stop_before_the_request(run)
    for _ in advance(run, Scripted([ANSWER]), small_tools(), limits):
        pass
    ended = run.end()
    assert ended
    assert ended.reason == end
    assert not any(isinstance(e, ModelAsked | ModelReplied) for e in run.events)


def stop_before_the_request(run: Run) -> None:
    """Let Stop be pressed after the loop has decided to ask, before the request leaves."""
    conversation = run.conversation

    def pressed() -> Conversation:
        found = conversation()
        run.record(StopAsked())
        return found

    run.conversation = pressed  # type: ignore[method-assign]


def test_steps_count_on_through_a_question_and_begin_anew_with_the_next(
    begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    run = drive(begun(), Scripted([Reply("", (ECHO,)), ANSWER]), small_tools())
    run.record(Asked("And that?"))
    drive(run, Scripted([Reply("", (ECHO,)), ANSWER, ANSWER]), small_tools())
    assert [e.step for e in run.events if isinstance(e, ModelAsked)] == [1, 2, 1]
