"""What stands between turns is the original's, whole and once."""

from collections.abc import Callable

import pytest

from trainplate.conversations import named

Failing = Callable[..., set[str]]
OTHERS = "{% else %}{{ m.content }}</s>"


@pytest.mark.parametrize(
    "instead",
    [
        "{% else %}{{ m.content | upper if loop.index0 else m.content }}</s>",
        "{% else %}{{ m.content }}</s>{{ '\n' if loop.index0 }}",
        "{% else %}{{ m.content }}{{ '</s>' if not loop.index0 }}",
        "{% else %}{{ m.content if not loop.index0 }}</s>",
    ],
)
def test_later_question_told_otherwise_is_found(instead: str, plain: str, trained: str, failing: Failing) -> None:
    assert "between-turns" in failing(plain, trained.replace(OTHERS, instead), named("two-turns"))


def test_separator_in_front_of_each_header_may_not_go(plain: str, trained: str, failing: Failing) -> None:
    apart, asked = "{{ '\\n' if not loop.first }}<{{ m.role }}>", "{{ '\\n' }}<assistant>"
    original, same = (text.replace("<{{ m.role }}>", apart).replace("<assistant>", asked) for text in (plain, trained))
    answers_alone = same.replace("not loop.first", "m.role == 'assistant'")
    assert failing(original, same, named("two-turns")) == set()
    assert "between-turns" in failing(original, answers_alone, named("two-turns"))


def test_history_that_the_original_rewrites_may_stay_as_it_was(plain: str, trained: str, failing: Failing) -> None:
    thinking = "{{ '<no>' if m.role == 'assistant' and loop.last }}"
    original = plain.replace("{{ m.content }}", thinking + "{{ m.content }}")
    kept = trained.replace("{% generation %}", "{% generation %}<no>")
    assert failing(original, kept, named("two-turns"), named("five-turns")) == set()


def test_text_of_a_rewritten_turn_may_not_be_told_once_more_behind_it(
    plain: str, trained: str, failing: Failing
) -> None:
    thinking = "{{ '<no>' if m.role == 'assistant' and loop.last }}"
    original = plain.replace("{{ m.content }}", thinking + "{{ m.content }}")
    kept = trained.replace("{% generation %}", "{% generation %}<no>").replace(
        "{% endgeneration %}", "{% endgeneration %}{{ '' if loop.last else '</s>' }}"
    )
    assert failing(original, kept, named("two-turns")) & {"between-turns", "prefix-preserved"}
