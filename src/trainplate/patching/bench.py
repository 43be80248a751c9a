"""An original on the bench: compiled, with what it supports and everything it says."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from trainplate.checks import Heard, Trial, hear, heard_already, try_on
from trainplate.conversations import Conversation, Support
from trainplate.patching.choosing import MISSING, SWITCHED, VARIED, script_for
from trainplate.patching.script import Script
from trainplate.rendering import CompiledTemplate


@dataclass(frozen=True, eq=False)
class Bench:
    """An original, ready to be compared with candidates."""

    script: Script
    heard: tuple[Heard, ...]
    glanced: tuple[Heard, ...]
    """Told under options that have nothing to do with reasoning: what fails there is stated, not refused."""
    drawn: tuple[Heard, ...]
    """Random conversations, which no fix has seen."""
    left_out: tuple[tuple[str, str], ...]

    @property
    def source(self) -> str:
        """The original's text."""
        return self.script.source

    @property
    def special_tokens(self) -> Mapping[str, str]:
        """The texts of the tokenizer's special tokens, by their names."""
        return self.script.special_tokens

    @property
    def support(self) -> Support:
        """What the original can be told."""
        return self.script.support

    @property
    def declined(self) -> str:
        """What the template says to a plain conversation, where it speaks none."""
        return self.script.declined

    @property
    def taken(self) -> tuple[Heard, ...]:
        """The conversations that the original takes itself, if perhaps with arguments in another form."""
        return tuple(one for one in self.heard if not is_favour(one))

    def without_favours(self, trials: Iterable[Trial] = ()) -> "Bench":
        """Return the bench without the conversations that the original was told in another form, but for those given.

        Such a conversation is a favour: a training template that takes it is better, one that does not is right too.
        """
        kept = {trial.conversation.label for trial in trials if trial.training is not None}
        dropped = {one.conversation.label for one in self.heard if is_favour(one)} - kept
        if not dropped:
            return self
        heard = tuple(one for one in self.heard if one.conversation.label not in dropped)
        return replace(self, heard=heard, left_out=(*self.left_out, *((name, MISSING) for name in sorted(dropped))))

    @property
    def eos(self) -> str:
        """The tokenizer's EOS, or an empty text."""
        return self.special_tokens.get("eos_token", "")

    @property
    def studied(self) -> list[Conversation]:
        """The conversations that fixes look at to find their edits."""
        return [one.conversation for one in self.heard if one.conversation.name in SWITCHED | VARIED]

    def compiled(self, source: str) -> CompiledTemplate:
        """Compile a candidate as the original was, once however often it is tried."""
        return self.script.compiled(source)

    def heard_from(self, source: str, trials: Iterable[Trial]) -> tuple[Heard, ...]:
        """Return what an edited original said when it was tried, as if it were the original."""
        told = [(trial.conversation, trial.training) for trial in trials]
        return heard_already(self.compiled(source), [(one, said) for one, said in told if said is not None])

    def trials(self, source: str, heard: Sequence[Heard]) -> Iterator[Trial]:
        """Tell a candidate conversations that the original was told."""
        return try_on(heard, self.compiled(source), eos=self.eos, marked="endgeneration" in source)


def lay(source: str, special_tokens: Mapping[str, str], *, null: bool = True) -> Bench:
    """Compile an original and hear what it says to every conversation it can be told.

    `null` is whether one that drops calls beside empty contents may be told calls with null, as older releases do.
    """
    return bench_of(script_for(source, special_tokens, null=null))


def bench_of(script: Script) -> Bench:
    """Hear what an original says to all conversations of a script."""
    heard, glanced, drawn = (hear(script.template, pairs) for pairs in (script.heard, script.glanced, script.drawn))
    return Bench(script, heard, glanced, drawn, script.left_out)


def modest(bench: Bench) -> Bench:
    """Return a bench on which nothing is told that the original does not take, the same one if that holds of it."""
    if bench.support.form.silence == "null":
        script = script_for(bench.source, bench.special_tokens, null=False)
        return bench_of(script.also_under(bench.script.added)).without_favours()
    return bench.without_favours()


def is_favour(heard: Heard) -> bool:
    """Say whether the original was told contents that a training template is not."""
    pairs = zip(heard.conversation.messages, heard.heard.messages, strict=True)
    return any("content" in theirs and "content" not in ours for ours, theirs in pairs)
