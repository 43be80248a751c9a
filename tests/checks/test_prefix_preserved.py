"""Nothing that stands may move, neither in the whole text nor in the prompts on the way."""

from collections.abc import Callable

from trainplate.checks import Report
from trainplate.conversations import named

Failing = Callable[..., set[str]]


def test_turn_rewritten_once_something_follows_is_shown_before_and_after(
    plain: str, trained: str, judged: Callable[..., Report]
) -> None:
    moving = trained.replace("{{ m.content }}</s>{% endgen", "{{ m.content }}{{ '.' if loop.last }}</s>{% endgen")
    (finding,) = [f for f in judged(plain, moving, named("two-turns")).findings if f.check == "prefix-preserved"]
    assert finding.witness == "two-turns[:2]"
    assert finding.before.endswith("Amber1, because air scatters blue light..</s>") or finding.before.endswith(".</s>")
    assert not finding.after.startswith(finding.before)


def test_turn_rewritten_in_the_next_prompt_alone_is_found(plain: str, trained: str, failing: Failing) -> None:
    asked = trained.replace("</s>{% endgen", "{{ ' ' if add_generation_prompt and not loop.last }}</s>{% endgen")
    assert "prefix-preserved" in failing(plain, asked, named("two-turns"))


def test_tool_list_that_moves_with_the_last_question_is_found(plain: str, trained: str, failing: Failing) -> None:
    listed = "{% if tools and (loop.last or loop.revindex == 2) %}{{ tools | tojson }}{% endif %}<{{ m.role }}>"
    moving = trained.replace("<{{ m.role }}>", listed)
    assert "prefix-preserved" in failing(plain.replace("<{{ m.role }}>", listed), moving, named("tool-cycle"))


def test_text_that_stays_passes(plain: str, trained: str, failing: Failing) -> None:
    assert failing(plain, trained, named("five-turns"), named("two-tool-cycles")) == set()
