"""Each kind of source gives the template that transformers would use, under a name that says where it is from."""

import json
from types import SimpleNamespace

import pytest

from trainplate.errors import LoadingError
from trainplate.loading.live_tokenizer import load_one
from trainplate.loading.source import load
from trainplate.loading.trl_package import stored_in_trl

TEXT = "{% for m in messages %}{{ m.content }}\r\n{% endfor %}"
TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}


def write(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_bytes(text.encode("utf-8"))
    return folder


def texts(templates):
    return {template.variant: template.source for template in templates}


def test_a_jinja_file_is_read_to_the_byte(tmp_path):
    write(tmp_path, {"t.jinja": TEXT})
    (template,) = load(tmp_path / "t.jinja")
    assert (template.source, template.name, template.variant) == (TEXT, str(tmp_path / "t.jinja"), None)
    assert template.special_tokens == {}


def test_a_jinja_file_takes_the_special_tokens_beside_it(tmp_path):
    write(tmp_path, {"t.jinja": TEXT, "tokenizer_config.json": TOKENS})
    assert load(tmp_path / "t.jinja")[0].special_tokens == TOKENS


def test_a_tokenizer_config_holds_template_and_tokens(tmp_path):
    added = {"__type": "AddedToken", "content": "</s>", "lstrip": False}
    entry = {"chat_template": TEXT, "bos_token": "<s>", "eos_token": added, "pad_token": None, "add_bos_token": True}
    write(tmp_path, {"tokenizer_config.json": entry})
    (template,) = load(tmp_path / "tokenizer_config.json")
    assert (template.source, template.special_tokens) == (TEXT, TOKENS)
    assert template.name.endswith("tokenizer_config.json#chat_template")


@pytest.mark.parametrize(
    "entry",
    [
        {"default": TEXT, "tool_use": TEXT + "tools"},
        [{"name": "default", "template": TEXT}, {"name": "tool_use", "template": TEXT + "tools"}],
    ],
    ids=["dictionary", "list"],
)
def test_named_templates_are_all_found_and_named(tmp_path, entry):
    write(tmp_path, {"tokenizer_config.json": {"chat_template": entry}})
    templates = load(tmp_path)
    assert texts(templates) == {"default": TEXT, "tool_use": TEXT + "tools"}
    assert templates[1].name.endswith("tokenizer_config.json#chat_template[tool_use]")


def test_a_processors_file_takes_the_tokens_of_the_tokenizer_beside_it(tmp_path):
    write(tmp_path, {"chat_template.json": {"chat_template": TEXT}, "tokenizer_config.json": TOKENS})
    for source in (tmp_path, tmp_path / "chat_template.json"):
        (template,) = load(source)
        assert (template.source, template.special_tokens) == (TEXT, TOKENS)


def test_a_folders_jinja_file_wins_over_its_configuration(tmp_path):
    config = {"chat_template": "{{ old }}", **TOKENS}
    write(tmp_path, {"chat_template.jinja": TEXT, "tokenizer_config.json": config})
    (template,) = load(str(tmp_path) + "/")
    assert (template.source, template.special_tokens) == (TEXT, TOKENS)
    assert template.name == f"{tmp_path}/chat_template.jinja"


def test_additional_templates_are_variants(tmp_path):
    write(tmp_path, {"chat_template.jinja": TEXT, "additional_chat_templates/rag.jinja": "{{ rag }}"})
    assert texts(load(tmp_path)) == {"default": TEXT, "rag": "{{ rag }}"}


def test_the_older_map_of_tokens_counts_as_it_does_in_transformers(tmp_path):
    tokens_map = {"eos_token": {"content": "<|end|>"}}
    write(
        tmp_path, {"chat_template.jinja": TEXT, "tokenizer_config.json": TOKENS, "special_tokens_map.json": tokens_map}
    )
    assert load(tmp_path)[0].special_tokens == {"bos_token": "<s>", "eos_token": "<|end|>"}
    write(tmp_path, {"tokenizer_config.json": {**TOKENS, "added_tokens_decoder": {}}})
    assert load(tmp_path)[0].special_tokens == TOKENS


def test_originals_of_the_installed_trl_are_found_by_name():
    pytest.importorskip("trl", reason="needs the extra trl")
    for name, path in stored_in_trl().items():
        (template,) = load(f"trl:{name}")
        assert template.source.encode("utf-8") == path.read_bytes()


def test_a_tokenizer_object_is_used_as_it_comes():
    tokenizer = SimpleNamespace(chat_template=TEXT, special_tokens_map=TOKENS, name_or_path="owner/model")
    (template,) = load(tokenizer)
    assert (template.source, template.special_tokens, template.name) == (TEXT, TOKENS, "owner/model")


def test_a_tokenizer_without_a_map_of_tokens_has_attributes():
    added = SimpleNamespace(content="</s>")
    tokenizer = SimpleNamespace(chat_template={"default": TEXT}, bos_token="<s>", eos_token=added, pad_token=None)
    (template,) = load(tokenizer)
    assert (template.variant, template.special_tokens) == ("default", TOKENS)


def test_a_processors_tokens_are_those_of_its_tokenizer():
    processor = SimpleNamespace(chat_template=TEXT, tokenizer=SimpleNamespace(special_tokens_map=TOKENS))
    assert load(processor)[0].special_tokens == TOKENS


def test_one_template_is_asked_for_where_only_one_will_do():
    tokenizer = SimpleNamespace(chat_template={"default": TEXT, "rag": TEXT}, special_tokens_map={}, name_or_path="o/m")
    with pytest.raises(LoadingError, match=r"o/m: has several templates: default, rag(.|\n)*way out"):
        load_one(tokenizer)
    tokenizer.chat_template = {"default": TEXT}
    assert load_one(tokenizer).source == TEXT


def test_a_tokenizer_without_a_template_is_a_clear_error():
    with pytest.raises(LoadingError, match="owner/model: has no chat template"):
        load(SimpleNamespace(chat_template=None, name_or_path="owner/model"))


def test_a_model_folder_loads_as_transformers_loads_it(tmp_path):
    transformers = pytest.importorskip("transformers", reason="needs the extra trl")
    tokenizers = pytest.importorskip("tokenizers")
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel({"<s>": 0, "</s>": 1}, unk_token="<s>"))
    saved = transformers.PreTrainedTokenizerFast(tokenizer_object=words, **TOKENS)
    saved.chat_template = {"default": TEXT, "tool_use": TEXT + "tools"}
    saved.save_pretrained(tmp_path)
    loaded = transformers.PreTrainedTokenizerFast.from_pretrained(tmp_path)
    for template in load(tmp_path):
        assert template.source.replace("\r\n", "\n") == loaded.chat_template[template.variant].replace("\r\n", "\n")
        assert template.special_tokens == loaded.special_tokens_map
    assert texts(load(loaded)) == loaded.chat_template
