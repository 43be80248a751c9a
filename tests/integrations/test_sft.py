"""TRL's own SFTTrainer trains on exactly what each model says, whatever its template."""

from pathlib import Path

import pytest

pytest.importorskip("trl", reason="needs the extra test")
pytest.importorskip("datasets", reason="needs the extra test")

from datasets import Dataset
from tiny_trainers import sft_trainer, talk, trained_texts
from transformers import AutoTokenizer

import trainplate

ROWS = [{"messages": talk()}] * 4
pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore:bos-once"),
]


def labels_seen(trainer, tokenizer):
    return [trained_texts(tokenizer, row) for batch in trainer.seen for row in batch["labels"].tolist()]


def assert_checkpoint_is_of_the_original(folder, speaker, tokenizer):
    saved = folder / "checkpoint-2"
    assert (saved / "chat_template.jinja").read_bytes() == speaker.template.encode()
    again = AutoTokenizer.from_pretrained(saved)
    assert again.chat_template == speaker.template == tokenizer.chat_template
    assert getattr(again, "response_template", None) is None


@pytest.mark.parametrize("name", ["qwen3", "glm", "gemma", "mistral", "unknown"])
def test_labels_are_the_sampled_texts_with_their_stop_tokens(name, speaker, tmp_path):
    kind = speaker(name)
    tokenizer = kind.tokenizer()
    with trainplate.training(tokenizer) as swap:
        trainer = sft_trainer(tokenizer, ROWS, tmp_path)
        trainer.train()
    assert trainer.state.global_step == 2
    assert labels_seen(trainer, tokenizer) == [kind.says] * 4
    assert_checkpoint_is_of_the_original(tmp_path, kind, tokenizer)
    beside = tmp_path / "checkpoint-2" / "chat_template_training.jinja"
    assert beside.read_text(encoding="utf-8") == swap.training_template != kind.template


@pytest.mark.parametrize("name", ["glm", "unknown"])
def test_prepared_rows_train_the_same_texts(name, speaker, tmp_path):
    kind = speaker(name)
    tokenizer = kind.tokenizer()
    rows = trainplate.prepare(Dataset.from_list(ROWS), tokenizer, cache_dir=tmp_path / "cache", summary=False)
    trainer = sft_trainer(tokenizer, rows, tmp_path, assistant_only_loss=False)
    trainer.train()
    assert labels_seen(trainer, tokenizer) == [kind.says] * 4
    assert_checkpoint_is_of_the_original(tmp_path, kind, tokenizer)


def test_a_training_template_can_come_from_a_file(speaker, tmp_path):
    kind = speaker("unknown")
    tokenizer = kind.tokenizer()
    file = tmp_path / "training.jinja"
    file.write_text(trainplate.patch(tokenizer).training_template, encoding="utf-8")
    with trainplate.training(tokenizer):
        trainer = sft_trainer(tokenizer, ROWS, tmp_path, chat_template_path=str(file))
        trainer.train()
    assert labels_seen(trainer, tokenizer) == [kind.says] * 4
    assert_checkpoint_is_of_the_original(tmp_path, kind, tokenizer)


def test_an_original_that_the_trainer_reads_from_a_file_is_patched_too(speaker, tmp_path):
    kind = speaker("unknown")
    tokenizer = kind.tokenizer()
    tokenizer.chat_template = "{% for m in messages %}{{ m.role + '|' + m.content + '<|over|>' }}{% endfor %}"
    file = tmp_path / "original.jinja"
    file.write_text(kind.template, encoding="utf-8")
    with trainplate.training(tokenizer):
        trainer = sft_trainer(tokenizer, ROWS, tmp_path, chat_template_path=str(file))
        trainer.train()
    assert labels_seen(trainer, tokenizer) == [kind.says] * 4
    assert_checkpoint_is_of_the_original(tmp_path, kind, tokenizer)


def test_without_the_context_trl_refuses_the_unknown_template(speaker, tmp_path):
    with pytest.raises(ValueError, match="not training-compatible"):
        sft_trainer(speaker("unknown").tokenizer(), ROWS, tmp_path)


def test_what_the_trainer_saves_itself_carries_the_original_too(speaker, tmp_path):
    kind = speaker("unknown")
    tokenizer = kind.tokenizer()
    with trainplate.training(tokenizer):
        trainer = sft_trainer(tokenizer, ROWS, tmp_path, save_strategy="no")
        trainer.save_model(str(tmp_path / "model"))
    assert (tmp_path / "model" / "chat_template.jinja").read_bytes() == kind.template.encode()
    assert Path(tmp_path / "model" / "chat_template_training.jinja").is_file()


def test_a_crash_in_training_leaves_the_tokenizer_as_it_was(speaker, tmp_path):
    kind = speaker("unknown")
    tokenizer = kind.tokenizer()
    with pytest.raises(ZeroDivisionError), trainplate.training(tokenizer):
        crash(sft_trainer(tokenizer, ROWS, tmp_path))
    assert tokenizer.chat_template == kind.template


def crash(trainer):
    trainer.compute_loss = lambda *args, **kwargs: 1 / 0
    trainer.train()


def test_rows_with_options_are_trained_as_proven_for_them(speaker, tmp_path):
    kind = speaker("qwen3")
    tokenizer = kind.tokenizer()
    rows = [{**row, "chat_template_kwargs": {"enable_thinking": False}} for row in ROWS]
    with trainplate.training(tokenizer, options={"enable_thinking": False}):
        trainer = sft_trainer(tokenizer, rows, tmp_path, save_strategy="no")
        trainer.train()
    bare = tuple(said.removeprefix("<think>\n\n</think>\n\n") for said in kind.says)
    assert labels_seen(trainer, tokenizer) == [bare] * 4
