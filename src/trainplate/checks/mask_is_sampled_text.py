"""A mask one word too wide trains headers; one too narrow never teaches the model to stop."""

from collections.abc import Iterator

from trainplate.checks.registry import Example, check
from trainplate.checks.spans import Span, without
from trainplate.checks.trial import TOKEN_BEGUN, Pair, Trial, agreed, beginnings, reasoning_and_content
from trainplate.conversations import Message, words
from trainplate.rendering.common_start import common_start
from trainplate.verdict import Finding

ORIGINAL = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
ROLE = "{% if m.role == 'assistant' %}"
MARKED = (
    f"{ROLE}{{% generation %}}{{{{ m.content }}}}</s>{{% endgeneration %}}"
    "{% else %}{{ m.content }}</s>{% endif %}"
)
NARROW = (
    f"{ROLE}{{% generation %}}{{{{ m.content }}}}{{% endgeneration %}}{{% else %}}{{{{ m.content }}}}{{% endif %}}</s>"
)
PASSES = Example(ORIGINAL, ORIGINAL.replace("{{ m.content }}</s>", MARKED))
FAILS = Example(ORIGINAL, ORIGINAL.replace("{{ m.content }}</s>", NARROW))
LONGEST_PREFILL = 80
SEEN_HEADER = 16


@check(passes=PASSES, fails=FAILS)
def mask_is_sampled_text(trial: Trial) -> Iterator[Finding]:
    """The characters between markers are exactly what the model samples.

    That is: from the end of the prompt to the end of the turn's stop token; white space behind it is free. Where the
    original's own prompt does not start the turn, everything from the assistant's first word on is trained; what stands
    between the text both share and that word may be, as far as a plain answer has it too. What announces a call or
    reasoning is trained, unless the prompt ends with it.
    """
    if trial.training is None:
        return
    required, free = [], []
    for pair in trial.pairs:
        if not pair.told:
            return  # the original does not say where this turn begins or ends
        if not pair.training.told:
            return
        must, may = sampled(pair) if pair.training.continues else sampled_behind_header(pair, trial)
        text = pair.training.text or ""
        end = len(text.rstrip())
        required.append((must, end))
        free += [(may, must), (end, len(text))]
    text, spans = trial.training.text, trial.training.spans
    for (start, end), what in [
        *((span, "is sampled, but not trained") for span in without(required, [*spans, *free])),
        *((span, "is trained, but not sampled") for span in without(spans, [*required, *free])),
    ]:
        yield trial.finding(
            "mask-is-sampled-text",
            f"{shortened(text[start:end])} {what}",
            None,
            *around(text, (start, end)),
            ("printed", "this part"),
        )
        return


def sampled(pair: Pair) -> Span:
    """Return where the sampled text begins, twice: nothing in front of it may be trained."""
    start = len(pair.training.prompt or "")
    return start, start


def sampled_behind_header(pair: Pair, trial: Trial) -> Span:
    """Return where trained text must begin, and from where on it may, in a turn that contradicts its prompt."""
    text, prompt = pair.training.text or "", pair.training.prompt or ""
    index = pair.original.index
    others = [message for message in trial.conversation.messages[:index] if message["role"] != "assistant"]
    said = [word for message in others for word in words(message)]
    floor = max([text.rfind(word) + len(word) for word in said if word in text], default=0)
    floor = max(floor, len(pair.before.training.text or "") if pair.before else 0)
    own = min(
        [at for at in (text.find(begins, floor) for begins in beginnings(pair.message)) if at >= 0], default=len(text)
    )
    shared = agreed(prompt, text)
    may = shared if floor <= shared <= own else header_end(prompt, text, floor, own)
    lead = trial.plain_lead(pair) if is_more_than_content(pair.message) else None
    announced = own if lead is None else min(own, may + common_start(lead, text[may:]))
    return own if prompt.endswith(text[announced:own]) else announced, may


def is_more_than_content(message: Message) -> bool:
    """Say whether a message has calls or reasoning, which a template announces by text of its own."""
    return bool(message.get("tool_calls")) or bool(reasoning_and_content(message)[0].strip())


def header_end(prompt: str, text: str, floor: int, own: int) -> int:
    """Return where a turn's header ends whose prompt has other text further in front, or `own` if that is not seen."""
    for dropped in range(min(len(prompt), LONGEST_PREFILL)):
        tail = prompt[: len(prompt) - dropped][-SEEN_HEADER:]
        at = text.find(tail, max(0, floor - len(tail)), own)
        if at >= 0 and tail.strip():
            return at + len(TOKEN_BEGUN.sub("", tail))
    return own


def shortened(text: str, longest: int = 40) -> str:
    """Quote a text, without its middle where it is long."""
    return repr(text if len(text) <= longest else f"{text[: longest // 2]}…{text[-longest // 2 :]}")


def around(text: str, span: Span, reach: int = 40) -> tuple[str, str]:
    """Return the text around a span, and the same with the span in brackets."""
    start, end = max(0, span[0] - reach), min(len(text), span[1] + reach)
    return text[start:end], f"{text[start : span[0]]}⟦{text[span[0] : span[1]]}⟧{text[span[1] : end]}"
