"""A run in the terminal, step by step as it happens. Reads events; knows no model and no tool."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from indexer.passages import Passage
from lab import wording
from lab.citations import cited
from lab.messages import Usage
from lab.models.catalog import card_of, is_standin, standin_note
from lab.run import Run
from lab.steps import Step, Turn, turns
from lab.totals import total

BAR = "▇"
BAR_WIDTH = 12
"""Cells of the longest bar that is drawn."""
WIDE, NARROW = 84, 64
"""Columns of a terminal from which on there is room for the bars, and for the other numbers."""
FIRST_BAR = 3
"""Cells of the first step's bar, which sets the scale of the others."""


class Trace:
    """Prints what is new in a run each time it is asked to."""

    def __init__(self, console: Console, get: Callable[[str], Passage | None]) -> None:
        self._console, self._get = console, get
        self._printed = 0
        self._scale: float | None = None

    def start(self, run: Run, changed: Iterable[str] = ()) -> None:
        """Name what runs, say which of its prompts were `changed`, and head the columns."""
        settings = run.settings
        about = f"{settings.model}, {settings.protocol} tool calls, run {run.id}"
        if is_standin(settings.model):
            about += f"\n{standin_note(settings.model)}"
        self._console.print(Text(wording.printable(run_question(run)), style="bold"))
        if card := card_of(settings.model, settings.base_url):
            about += f"\n{card.line()}"
        self._console.print(Text(about, style="dim"))
        for phrase in changed:
            self._console.print(Text(f"≠ {phrase}", style="yellow"))
        self._console.print()
        table = self._table()
        self._add(
            table, "step", "asked for, → came back", "seconds", "", "tokens in", "out", "cost"
        )
        self._console.print(table, style="dim")

    def update(self, run: Run) -> None:
        """Print the steps that are complete and were not printed yet."""
        turn = turns(run.events)[-1]
        whole = [step for step in turn.steps if complete(step)]
        for step in whole[self._printed :]:
            self._print_step(step)
        self._printed = len(whole)

    def finish(self, run: Run) -> None:
        """Print the answer or what there is instead, what was cited, and the totals."""
        self.update(run)
        turn = turns(run.events)[-1]
        for step in turn.steps[self._printed :]:
            self._print_step(step)
        self._console.print()
        if turn.end and turn.end.answer:
            self._console.print(Text(wording.printable(turn.end.answer)))
            for passage in cited(turn.end.answer, self._get):
                place = wording.one_line(" / ".join([passage.title, *passage.headings]))
                self._console.print(Text(f"  {place}", style="dim"))
                self._console.print(Text(f"  {passage.url}", style="dim"), soft_wrap=True)
            self._console.print()
        self._console.print(outcome(run, turn))
        self._console.print(Text(summed(run), style="dim"))

    def _print_step(self, step: Step) -> None:
        usage = step.reply.usage if step.reply else Usage()
        seconds = (step.exchange.seconds + step.exchange.waited) if step.exchange else 0.0
        numbers = (
            f"{seconds + step.tool_seconds:.2f}",
            self._bar(usage.tokens_in),
            wording.tokens(usage.tokens_in, usage.estimated),
            wording.tokens(usage.tokens_out, usage.estimated),
            wording.cost(step.exchange.cost) if step.exchange else wording.UNKNOWN,
        )
        table = self._table()
        first, *others = lines(step)
        self._add(table, str(step.number), first, *numbers)
        for line in others:
            table.add_row("", line)
        self._console.print(table)

    def _bar(self, count: int | None) -> Text:
        if not count:
            return Text("")
        self._scale = self._scale or count / FIRST_BAR
        cells = max(1, round(count / self._scale))
        return Text(BAR * min(cells, BAR_WIDTH) + ("+" if cells > BAR_WIDTH else ""), style="cyan")

    def _table(self) -> Table:
        table = Table.grid(padding=(0, 2, 0, 0), expand=True)
        table.add_column(width=4, justify="right")
        table.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
        for width in self._widths():
            table.add_column(width=width, justify="right" if width < BAR_WIDTH else "left")
        return table

    def _add(self, table: Table, number: str, what: str | Text, *numbers: str | Text) -> None:
        """A row as far as there is room: a narrow terminal keeps what was asked, and the counts."""
        shown = {5: numbers, 3: numbers[2:], 1: numbers[2:3]}[len(self._widths())]
        table.add_row(number, what, *shown)

    def _widths(self) -> tuple[int, ...]:
        """Widths of the columns after the second one."""
        if self._console.width >= WIDE:
            return 7, BAR_WIDTH + 1, 9, 6, 7
        return (9, 6, 7) if self._console.width >= NARROW else (9,)


class Waiting:
    """The line below the trace while something is under way: what, and streamed text."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(under_way(self._run), style="dim", no_wrap=True, overflow="ellipsis")


def under_way(run: Run) -> str:
    """What a run is doing now, in a few words."""
    turn = turns(run.events)[-1]
    if run.stopping():
        return "stopping …"
    step = turn.steps[-1] if turn.steps else None
    if step is None or complete(step):
        return "…"
    if step.reply is None:
        streamed = wording.one_line(run.streamed)[-60:]
        return f"step {step.number}: waiting for the model … {streamed}"
    names = ", ".join(view.call.name for view in step.calls if view.result is None)
    return f"step {step.number}: running {names} …"


def complete(step: Step) -> bool:
    """True where nothing more will come to a step."""
    return bool(step.failure) or (
        step.reply is not None and all(view.result for view in step.calls)
    )


def lines(step: Step) -> list[Text]:
    """What a step asked for and what came back, a line each."""
    found = []
    for view in step.calls:
        found.append(Text(wording.one_line(wording.asked(view.call))))
        if view.result:
            style = "red" if view.result.failed else "dim"
            found.append(Text(f"→ {wording.one_line(wording.came_back(view.result))}", style=style))
    if step.failure:
        found.append(whole(f"no reply: {wording.one_line(step.failure)}", "red"))
    elif not step.reply:
        found.append(Text("no reply was recorded", style="red"))
    elif not step.calls and step.reply:
        plain = step.reply.stop == "answer" and not step.reply.fault
        said = "answer" if plain else step.reply.fault or step.reply.stop
        found.append(whole(wording.one_line(said), "" if plain else "red"))
    if step.reply and (cached := wording.cached(step.reply.usage)):
        found.append(Text(cached, style="dim"))
    for notice in step.notices:
        style = "bold red" if wording.alarming(notice) else "yellow"
        if not (step.reply and notice.text == step.reply.fault):  # said in the row already
            found.append(whole(f"{notice.about}: {wording.one_line(notice.text)}", style))
    return found


def whole(text: str, style: str) -> Text:
    """A line that is worth more than one row."""
    return Text(text, style=style, no_wrap=False, overflow="fold")


def outcome(run: Run, turn: Turn) -> Text:
    """How it ended, and what to do next."""
    if turn.end is None:
        return Text("not ended", style="yellow").append(f"  `lab runs resume {run.id}`", style="")
    reason, detail = turn.end.reason, wording.one_line(turn.end.detail)
    style = "green" if reason == "answered" else "bold red"
    after = " ".join(part for part in (detail, wording.NEXT[reason]) if part)
    if "Resume" in wording.NEXT[reason]:
        after += f" `lab runs resume {run.id}`"
    return Text(reason, style=style).append(f"  {after}" if after else "", style="")


def summed(run: Run) -> str:
    """The totals of the newest question in one line."""
    used = total(run.turn())
    tokens_in, tokens_out = wording.amount(used.tokens_in), wording.amount(used.tokens_out)
    price = wording.amount(used.cost, dollars=True)
    steps = "1 step" if used.steps == 1 else f"{used.steps} steps"
    return f"{steps}, {used.seconds:.1f} s, {tokens_in} tokens in, {tokens_out} out, cost: {price}"


def run_question(run: Run) -> str:
    """The newest question of a run."""
    return turns(run.events)[-1].question
