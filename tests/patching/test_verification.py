"""What a check of a pair says: what a patch proves stands, and what is declined on purpose is no finding."""

import trainplate
from trainplate.patching.verification import DECLINED, verify
from trainplate.template import Template

TURNS = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}"
PROMPT = "{% if add_generation_prompt %}<|assistant|>{% endif %}"
TWO_FORMATS = "{% if raw %}{{ messages[-1].content }}{% else %}" + TURNS + PROMPT + "{% endif %}"


def test_a_patch_that_declines_an_option_stands_a_check() -> None:
    original = Template(TWO_FORMATS)
    patch = trainplate.patch(original)
    assert "Nothing is proven for raw=True" in patch.training_template
    verified = verify(Template(patch.training_template), original)
    assert verified.report.proven
    assert ("two-turns [raw=True]", DECLINED) in verified.report.left_out


def test_an_error_under_an_option_is_a_finding() -> None:
    patch = trainplate.patch(Template(TURNS + PROMPT))
    breaking = "{% if raw %}{{ messages[0].name.first }}{% endif %}" + patch.training_template
    verified = verify(Template(breaking), Template("{{ 'raw' if raw }}" + TURNS + PROMPT))
    assert [finding.check for finding in verified.first_findings] == ["renders"]


def test_declining_what_is_no_option_is_a_finding() -> None:
    patch = trainplate.patch(Template(TURNS + PROMPT))
    narrow = "{% if messages | length > 2 %}{{ raise_exception('no more') }}{% endif %}" + patch.training_template
    assert not verify(Template(narrow), patch.original).report.proven
