"""Inside the context a tokenizer carries its training template; outside, everything is as it was."""

import copy
import pickle
import warnings
from pathlib import Path
from typing import ClassVar

import pytest

transformers = pytest.importorskip("transformers", reason="needs the extra test")

from tiny_tokenizers import tiny  # noqa: E402
from tiny_trainers import UNKNOWN, from_trl, talk  # noqa: E402

import trainplate  # noqa: E402
from trainplate.integrations.guards import GuardFailure  # noqa: E402
from trainplate.integrations.training import TrainingWarning  # noqa: E402

OTHER = "{% for m in messages %}{{ m.role + '|' + m.content + '<|im_end|>' }}{% endfor %}"
MARKED = "generation"
pytestmark = pytest.mark.filterwarnings("ignore::trainplate.integrations.training.TrainingWarning")


class TextProcessor(transformers.ProcessorMixin):
    attributes: ClassVar = ["tokenizer"]
    tokenizer_class = "PreTrainedTokenizerFast"

    def __init__(self, tokenizer=None, chat_template=None, **kwargs):
        super().__init__(tokenizer, chat_template=chat_template)


@pytest.fixture
def tokenizer():
    made = tiny("chatml")
    made.chat_template = UNKNOWN
    return made


def text(holder, **options):
    return holder.apply_chat_template(talk(), tokenize=False, **options)


def test_the_template_is_swapped_inside_and_restored_after(tokenizer):
    before = text(tokenizer)
    with trainplate.training(tokenizer) as swap:
        assert tokenizer.chat_template == swap.training_template
        assert MARKED in tokenizer.chat_template
        assert text(tokenizer) == before
    assert tokenizer.chat_template is UNKNOWN


def test_a_crash_leaves_the_tokenizer_as_it_was(tokenizer):
    with pytest.raises(KeyboardInterrupt), trainplate.training(tokenizer):
        crash(tokenizer)
    assert tokenizer.chat_template is UNKNOWN


def crash(tokenizer):
    tokenizer.chat_template = OTHER
    raise KeyboardInterrupt


def test_a_template_that_someone_put_in_place_inside_stays(tokenizer):
    with trainplate.training(tokenizer):
        tokenizer.chat_template = OTHER
    assert tokenizer.chat_template is OTHER


def test_classes_are_left_as_they_were(tokenizer):
    before = dict(vars(type(tokenizer)))
    with trainplate.training(tokenizer), trainplate.training(tiny("chatml", chat_template=OTHER)):
        assert dict(vars(type(tokenizer))) != before
    assert dict(vars(type(tokenizer))) == before


def test_nothing_but_the_template_is_on_the_tokenizer(tokenizer):
    names = set(vars(tokenizer))
    with trainplate.training(tokenizer) as swap:
        assert set(vars(tokenizer)) == names
        assert pickle.loads(pickle.dumps(tokenizer)).chat_template == swap.training_template


def test_a_tokenizer_that_nobody_rendered_with_draws_a_warning(tokenizer):
    others = [(tokenizer, {"chat_template": OTHER}), (tiny("chatml", chat_template=OTHER), {})]
    with pytest.warns(TrainingWarning, match="of no use") as seen, trainplate.training(tokenizer):
        assert len({text(other, **options) for other, options in others}) == 1
    assert [Path(warning.filename) for warning in seen if "of no use" in str(warning.message)] == [Path(__file__)]


@pytest.mark.parametrize("use", [text, copy.deepcopy], ids=["rendered", "copied and rendered"])
def test_one_that_was_rendered_with_draws_none(tokenizer, use):
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*of no use")
        with trainplate.training(tokenizer):
            text(tokenizer if use is text else use(tokenizer))


def test_a_copy_saves_the_original_too(tokenizer, tmp_path):
    with trainplate.training(tokenizer) as swap:
        copy.deepcopy(tokenizer).save_pretrained(tmp_path)
    assert (tmp_path / "chat_template.jinja").read_bytes() == UNKNOWN.encode()
    assert (tmp_path / "chat_template_training.jinja").read_text(encoding="utf-8") == swap.training_template


def test_saving_does_not_disturb_rendering(tokenizer, tmp_path):
    with trainplate.training(tokenizer) as swap:
        tokenizer.save_pretrained(tmp_path)
        assert tokenizer.chat_template == swap.training_template


def test_of_named_templates_those_that_are_used_are_swapped(tokenizer, tmp_path):
    named = {"default": UNKNOWN, "tool_use": OTHER, "rag": "{{ messages[0].content }}"}
    tokenizer.chat_template = named
    with trainplate.training(tokenizer):
        found = tokenizer.chat_template
        assert {name: MARKED in found[name] for name in found} == {"default": True, "tool_use": True, "rag": False}
        tokenizer.save_pretrained(tmp_path)
    assert tokenizer.chat_template is named
    assert transformers.AutoTokenizer.from_pretrained(tmp_path).chat_template == named
    assert (tmp_path / "chat_template_training_tool_use.jinja").is_file()


def test_one_of_several_can_be_named(tokenizer):
    tokenizer.chat_template = {"default": "{{ messages[0].content }}", "mine": UNKNOWN}
    with trainplate.training(tokenizer, name="mine") as swap:
        assert tokenizer.chat_template["mine"] == swap.training_template
        assert tokenizer.chat_template["default"] == "{{ messages[0].content }}"
        text(tokenizer, chat_template="mine")
        assert swap.used


def test_a_name_that_is_not_there_is_answered_with_those_that_are(tokenizer):
    tokenizer.chat_template = {"first": UNKNOWN, "second": OTHER}
    with pytest.raises(trainplate.LoadingError, match="first, second"), trainplate.training(tokenizer):
        pass


def test_both_templates_of_a_processor_are_swapped(tokenizer, tmp_path):
    processor = TextProcessor(tokenizer, chat_template=UNKNOWN)
    with trainplate.training(processor) as swap:
        assert processor.chat_template == tokenizer.chat_template == swap.training_template
        processor.save_pretrained(tmp_path)
        assert swap.used
    assert processor.chat_template == tokenizer.chat_template == UNKNOWN
    assert (tmp_path / "chat_template.jinja").read_bytes() == UNKNOWN.encode()


def test_a_processor_whose_tokenizer_has_no_template_is_enough(tokenizer):
    tokenizer.chat_template = None
    processor = TextProcessor(tokenizer, chat_template=UNKNOWN)
    with trainplate.training(processor):
        assert MARKED in processor.chat_template
        assert tokenizer.chat_template is None


def test_a_tokenizer_without_a_template_is_told_the_choices():
    with pytest.raises(trainplate.LoadingError) as failed, trainplate.training(tiny("chatml")):
        pass
    for choice in ("clone_chat_template", "load_format", ".jinja"):
        assert choice in str(failed.value)


def test_what_cannot_be_proven_is_refused_before_anything_is_changed(tokenizer):
    tokenizer.chat_template = "{{ messages | length }} messages"
    with pytest.raises(trainplate.Refusal), trainplate.training(tokenizer):
        pass
    assert tokenizer.chat_template == "{{ messages | length }} messages"


SECRET = (
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' }}{% if mood == 'curt' and loop.revindex > 2 %}"
    "{{ m.content[:3] }}{% else %}{{ m.content }}{% endif %}{{ '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


def test_options_for_which_nothing_is_proven_are_refused_with_a_reason(tokenizer):
    tokenizer.chat_template = SECRET
    with (
        pytest.raises(trainplate.Refusal, match="mood='curt'"),
        trainplate.training(tokenizer, options={"mood": "curt"}),
    ):
        pass
    assert tokenizer.chat_template is SECRET


def test_options_that_come_up_while_rendering_are_proven_then(tokenizer):
    tokenizer.chat_template = SECRET
    with trainplate.training(tokenizer):
        text(tokenizer)
        text(tokenizer, mood="merry")
        text(tokenizer, weather="fine")
        with pytest.raises(trainplate.Refusal, match="mood='curt'"):
            text(tokenizer, mood="curt")


PLAN = "{% if m.plan %}<plan>{{ m.plan }}</plan>{% endif %}"
PLANNED = {"role": "assistant", "content": "Sand.", "plan": "think"}


@pytest.mark.parametrize("several", [False, True])
def test_a_field_of_answers_that_nothing_is_proven_of_is_told_once(tokenizer, several):
    tokenizer.chat_template = tokenizer.chat_template.replace("{{- m.content", PLAN + "{{- m.content")
    assert PLAN in tokenizer.chat_template
    question = {"role": "user", "content": "Why?", "plan": "none of the model's"}
    told = [[question, PLANNED]] if several else [question, PLANNED]
    with pytest.warns(TrainingWarning) as seen, trainplate.training(tokenizer):
        tokenizer.apply_chat_template([question, {**PLANNED, "plan": None}], tokenize=False)
        assert not [one for one in seen if "'plan'" in str(one.message)]
        tokenizer.apply_chat_template(told, tokenize=False)
        tokenizer.apply_chat_template(conversation=told, tokenize=False)
    assert len([one for one in seen if "'plan'" in str(one.message)]) == 1


@pytest.mark.parametrize("options", [{"enable_thinking": False}, {"enable_thinking": True}, {}])
def test_options_that_are_proven_are_let_through(options):
    tokenizer = tiny("chatml", chat_template=from_trl("qwen3"))
    with trainplate.training(tokenizer, options=options, strict=True):
        text(tokenizer, **options)


def test_an_option_that_the_template_does_not_read_is_found():
    tokenizer = tiny("chatml", chat_template=from_trl("qwen3"))
    misspelt = trainplate.training(tokenizer, options={"enable_thinkin": False}, strict=True)
    with pytest.raises(GuardFailure, match=r"'enable_thinkin'\n.*it reads: enable_thinking"), misspelt:
        pass


def test_a_template_for_tools_that_cannot_be_patched_is_found(tokenizer):
    tokenizer.chat_template = {"default": UNKNOWN, "tool_use": "{{ messages | length }}"}
    with pytest.warns(TrainingWarning, match="every-template"), trainplate.training(tokenizer):
        assert tokenizer.chat_template["tool_use"] == "{{ messages | length }}"


def test_strict_raises_what_is_found_beside_the_template(tokenizer):
    tokenizer.pad_token = "<|im_end|>"
    tokenizer.chat_template = OTHER
    with pytest.raises(GuardFailure, match="pad-is-not-trained"), trainplate.training(tokenizer, strict=True):
        pass
    assert tokenizer.chat_template is OTHER


def test_a_patch_is_applied_and_taken_off_by_its_handle(tokenizer):
    patch = trainplate.patch(tokenizer)
    handle = patch.apply(tokenizer)
    assert tokenizer.chat_template == patch.training_template
    handle.restore()
    handle.restore()
    assert tokenizer.chat_template is UNKNOWN


def test_a_patch_of_another_template_is_not_applied(tokenizer):
    patch = trainplate.patch(tokenizer)
    tokenizer.chat_template = OTHER
    with pytest.raises(trainplate.TrainplateError, match="another template than was patched"):
        patch.apply(tokenizer)


def test_a_patch_finds_its_original_among_named_templates(tokenizer):
    patch = trainplate.patch(tokenizer)
    tokenizer.chat_template = {"default": OTHER, "mine": UNKNOWN}
    handle = patch.apply(tokenizer)
    assert tokenizer.chat_template == {"default": OTHER, "mine": patch.training_template}
    handle.restore()
    assert tokenizer.chat_template == {"default": OTHER, "mine": UNKNOWN}
