"""Masks of processors: the same as a tokenizer's for text, and right around what a picture is expanded to."""

from typing import ClassVar

import pytest

transformers = pytest.importorskip("transformers", reason="needs the extra test")

from tiny_tokenizers import special, tiny  # noqa: E402

from trainplate import TrainplateError, assistant_masks  # noqa: E402

CHAT = (
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' }}{% set content %}{% for p in m.content %}"
    "{{ '<image>' if p.type == 'image' else p.text }}{% endfor %}{% endset %}{% if m.role == 'assistant' %}"
    "{% generation %}{{ content + '<|im_end|>' }}{% endgeneration %}{{ '\n' }}"
    "{% else %}{{ content + '<|im_end|>\n' }}{% endif %}{% endfor %}"
)
HELLO = ["h", "el", "lo", "<|im_end|>"]
ANSWER = ["answer", "<|im_end|>"]


class TextProcessor(transformers.ProcessorMixin):
    attributes: ClassVar = ["tokenizer"]
    tokenizer_class = "PreTrainedTokenizerFast"

    def __init__(self, tokenizer=None, chat_template=None, **kwargs):
        super().__init__(tokenizer, chat_template=chat_template)


class PictureProcessor(TextProcessor):
    """Puts as many tokens in place of a picture as the picture says, between two of its own."""

    image_token = "<image>"

    def __call__(self, text=None, images=None, **kwargs):
        wanted = [size for row in images or [] for size in row]
        texts = []
        for one in text:
            first, *others = one.split(self.image_token)
            texts.append(
                first + "".join(f"\n<patch>{'<image>' * int(wanted.pop(0))}<patch>{piece}" for piece in others)
            )
        for name in ("return_offsets_mapping", "return_text_replacement_offsets", "videos", "audio"):
            kwargs.pop(name, None)
        return {**self.tokenizer(texts, **kwargs), "pixel_values": images}


def user(*parts):
    return {
        "role": "user",
        "content": [part if isinstance(part, dict) else {"type": "text", "text": part} for part in parts],
    }


def answer(text):
    return {"role": "assistant", "content": [{"type": "text", "text": text}]}


def picture(size):
    return {"type": "image", "image": size}


TALK = [user("river"), answer("hello"), user("city"), answer("answer")]


def trained(processor, ids, mask):
    return processor.tokenizer.convert_ids_to_tokens(ids[mask == 1].tolist())


def check(tokenizer, conversation, expected, template=CHAT, **options):
    processor = TextProcessor(tokenizer, chat_template=template)
    batch = assistant_masks(processor, conversation, template=template, **options)
    assert trained(processor, batch.input_ids, batch.assistant_masks) == expected
    return batch


def test_p1_a_text_has_the_ids_of_the_processor():
    processor = TextProcessor(tiny("chatml"), chat_template=CHAT)
    batch = check(tiny("chatml"), TALK, HELLO + ANSWER)
    told = processor.apply_chat_template([TALK], tokenize=True, return_dict=True)
    assert batch.input_ids.tolist() == list(told["input_ids"][0])


@pytest.mark.parametrize("side", ["left", "right"])
def test_p2_padding_moves_the_mask_with_its_tokens(side):
    processor = TextProcessor(tiny("chatml", padding_side=side), chat_template=CHAT)
    batch = assistant_masks(processor, [TALK[:2], TALK], template=CHAT, padding=True)
    rows = zip(batch.input_ids, batch.assistant_masks, strict=True)
    assert [trained(processor, ids, mask) for ids, mask in rows] == [HELLO, HELLO + ANSWER]


def test_p3_a_token_across_the_start_is_trained_and_counted():
    batch = check(tiny("chatml"), [user("river"), answer("\nhello")], ["ĊĊ", *HELLO])
    assert batch.counts.merged_with_prompt == 1


@pytest.mark.parametrize(("side", "expected"), [("left", ANSWER), ("right", HELLO)])
def test_p4_truncation_keeps_the_mask_on_its_tokens(side, expected):
    check(tiny("chatml", truncation_side=side), TALK, expected, max_length=13)


def test_p5_a_bos_of_the_post_processor_stands_in_front_and_is_not_trained():
    template = CHAT.replace("<|im_start|>", "<|start_header_id|>").replace("<|im_end|>", "<|eot_id|>")
    processor = TextProcessor(tiny("bos"), chat_template=template)
    batch = check(tiny("bos"), TALK, ["h", "el", "lo", "<|eot_id|>", "answer", "<|eot_id|>"], template)
    told = processor.apply_chat_template([TALK], tokenize=True, return_dict=True)
    assert batch.input_ids.tolist() == list(told["input_ids"][0])
    assert processor.tokenizer.decode(batch.input_ids).count("<|begin_of_text|>") == 1


def test_p5_a_bos_that_the_template_prints_is_not_doubled():
    template = "{{ '<|begin_of_text|>' }}" + CHAT.replace("<|im_end|>", "<|eot_id|>")
    batch = check(tiny("bos"), TALK, ["h", "el", "lo", "<|eot_id|>", "answer", "<|eot_id|>"], template)
    assert tiny("bos").decode(batch.input_ids).count("<|begin_of_text|>") == 1


def test_p6_all_tokens_of_a_last_character_are_trained():
    template = CHAT.replace("{{ content + '<|im_end|>' }}{% endgen", "{{ content }}{% endgen")
    check(tiny("chatml"), [user("river"), answer("hi 🙂")], ["h", "i", "Ġ", "ð", "Ł", "Ļ", "Ĥ"], template)


def test_p7_an_added_token_that_swallows_sampled_white_space_is_trained():
    template = (
        "{% for m in messages %}{{ '<|' + m.role + '|>\n' }}{% if m.role == 'assistant' %}{% generation %}"
        "{{ m.content[0].text + '<|end|>\n' }}{% endgeneration %}"
        "{% else %}{{ m.content[0].text + '<|end|>\n' }}{% endif %}{% endfor %}"
    )
    check(tiny("stripping"), [user("river"), answer(" hello")], ["<|assistant|>", "▁hello", "<|end|>"], template)


@pytest.mark.parametrize("padding", [False, True])
def test_p8_a_span_may_end_where_the_text_ends(padding):
    template = (
        "{% for m in messages %}{{ m.role + ' ' }}{% if m.role == 'assistant' %}"
        "{% generation %}{{ m.content[0].text }}{% endgeneration %}{% else %}{{ m.content[0].text + ' ' }}{% endif %}"
        "{% endfor %}"
    )
    processor = TextProcessor(tiny("chatml"), chat_template=template)
    batch = assistant_masks(processor, [TALK[:2], TALK], template=template, padding=padding)
    rows = list(zip(batch.input_ids, batch.assistant_masks, strict=True))
    assert trained(processor, *rows[0]) == ["Ġhello"]
    assert len(set(map(len, batch.input_ids))) == (1 if padding else 2)


@pytest.fixture
def pictures():
    tokenizer = tiny("chatml")
    tokenizer.add_special_tokens({"additional_special_tokens": [special("<image>"), special("<patch>")]})
    return PictureProcessor(tokenizer, chat_template=CHAT)


def test_what_a_picture_is_expanded_to_is_left_out_of_the_mask(pictures):
    talk = [user(picture(3), "river", picture(5)), answer("hello"), user(picture(2)), answer("answer")]
    batch = assistant_masks(pictures, [talk, TALK], template=CHAT)
    assert trained(pictures, batch.input_ids[0], batch.assistant_masks[0]) == HELLO + ANSWER
    assert trained(pictures, batch.input_ids[1], batch.assistant_masks[1]) == HELLO + ANSWER
    told = pictures.apply_chat_template([talk], tokenize=True, return_dict=True)
    assert batch.input_ids[0].tolist() == list(told["input_ids"][0])
    assert pictures.tokenizer.decode(batch.input_ids[0]).count("<image>") == 10
    assert set(batch.media) == {0}
    assert batch.media[0]["pixel_values"] == [[3, 5, 2]]


def test_a_part_without_a_picture_is_refused_and_says_what_is_missing(pictures):
    with pytest.raises(TrainplateError, match=r"conversation 1: 1 parts have no picture or sound\n.*image, "):
        assistant_masks(pictures, [TALK, [user({"type": "image"}), answer("hello")]], template=CHAT)


def test_a_picture_that_the_processor_cannot_read_is_refused_in_its_words(pictures):
    with pytest.raises(TrainplateError, match=r"conversation 0: the processor fails .*no-size"):
        assistant_masks(pictures, [user(picture("no-size")), answer("hello")], template=CHAT)


def test_a_picture_is_never_cut(pictures):
    with pytest.raises(TrainplateError, match="max_length cuts one that has pictures"):
        assistant_masks(pictures, [user(picture(30)), answer("hello")], template=CHAT, max_length=20)
