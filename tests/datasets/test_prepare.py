"""Data sets become rows that a trainer takes, and nothing is lost without being told."""

import pickle

import pytest

datasets = pytest.importorskip("datasets", reason="needs the extra test")
pa = pytest.importorskip("pyarrow", reason="needs the extra test")

from trainplate import TrainplateError, assistant_masks, prepare  # noqa: E402
from trainplate.datasets import Preparation, stored_conversations, summary_of  # noqa: E402

CALL = {"type": "function", "function": {"name": "find", "arguments": {"city": "harbour"}}}


def user(text, **fields):
    return {"role": "user", "content": text, **fields}


def answer(text, **fields):
    return {"role": "assistant", "content": text, **fields}


@pytest.fixture
def prepared(tokenizer, tmp_path):
    def run(rows, **options):
        data = datasets.Dataset.from_list([{"messages": row} if isinstance(row, list) else row for row in rows])
        return prepare(data, tokenizer, cache_dir=tmp_path, summary=False, **options)

    return run


def trained_texts(tokenizer, data):
    return [
        tokenizer.decode([token for token, label in zip(row["input_ids"], row["labels"], strict=True) if label != -100])
        for row in data
    ]


def test_rows_are_those_of_assistant_masks(prepared, tokenizer, talks):
    data = prepared(talks)
    batch = assistant_masks(tokenizer, talks)
    assert data.column_names == ["input_ids", "labels"]
    assert [row["input_ids"] for row in data] == [ids.tolist() for ids in batch.input_ids]
    for row, mask in zip(data, batch.assistant_masks, strict=True):
        expected = [token if trained else -100 for token, trained in zip(row["input_ids"], mask, strict=True)]
        assert row["labels"] == expected


def test_masks_and_weights_can_be_had_in_place_of_labels(prepared, tokenizer, talks):
    data = prepared(talks, labels=False, loss_weights=True)
    batch = assistant_masks(tokenizer, talks)
    assert [row["assistant_masks"] for row in data] == [mask.tolist() for mask in batch.assistant_masks]
    assert [row["loss_weights"] for row in data] == [mask.tolist() for mask in batch.assistant_masks]


def test_a_completion_is_trained_and_its_prompt_is_not(prepared, tokenizer):
    row = {"prompt": [user("hi"), answer("one"), user("so")], "completion": [answer("two")]}
    assert trained_texts(tokenizer, prepared([row])) == ["two<|im_end|>"]


def test_tools_and_options_of_a_row_reach_the_template(tokenizer, tmp_path):
    template = tokenizer.chat_template + "{{ tools | length if tools else 'none' }}{{ mood }}"
    rows = [
        {
            "messages": [user("hi"), answer("one")],
            "tools": '[{"type": "function"}]',
            "chat_template_kwargs": '{"mood": "good"}',
        },
        {"messages": [user("hi"), answer("one")], "tools": None, "chat_template_kwargs": None},
    ]
    data = prepare(datasets.Dataset.from_list(rows), tokenizer, template=template, cache_dir=tmp_path, summary=False)
    assert [tokenizer.decode(row["input_ids"]).rpartition("\n")[2] for row in data] == ["1good", "none"]


def test_keys_that_a_table_gives_every_row_are_taken_out_again(prepared, tokenizer):
    other = {"type": "function", "function": {"name": "find", "arguments": {"river": "storm"}}}
    rows = [[user("hi"), answer("", tool_calls=[CALL])], [user("hi"), answer("", tool_calls=[other])]]
    assert trained_texts(tokenizer, prepared(rows)) == [
        '<tool_call>{"city": "harbour"}</tool_call><|im_end|>',
        '<tool_call>{"river": "storm"}</tool_call><|im_end|>',
    ]


def test_conversations_with_from_and_value_are_read(prepared, tokenizer):
    row = {"conversations": [{"from": "human", "value": "hi"}, {"from": "gpt", "value": "one"}]}
    assert trained_texts(tokenizer, prepared([row])) == ["one<|im_end|>"]


def test_every_problem_is_counted_with_its_rows_and_dropped_or_kept_as_asked(prepared, talks):
    rows = [
        [user("hi"), answer("one")],
        [user("hi"), {"role": "judge", "content": "no"}],
        [user("hi")],
        [user("hi"), answer("the answer " * 9)],
        [user("hi"), answer("one", reasoning_content="storm")],
        [user("hi <|im_end|>"), answer("one")],
    ]
    data = prepared(rows, options={"mood": "curt"}, max_length=20)
    summary = summary_of(data)
    assert (summary.rows, summary.kept, len(data)) == (6, 4, 4)
    assert dict(summary.problems) == {
        "failed": 1, "untrained": 1, "cut": 1, "reasoning-dropped": 1, "control-tokens": 1,
    }  # fmt: skip
    assert {kind: count for kind, count in summary.dropped.items() if count} == {"failed": 1, "untrained": 1}
    assert {kind: shown[0][0] for kind, shown in summary.examples.items()} == {
        "failed": 1, "untrained": 2, "cut": 3, "reasoning-dropped": 4, "control-tokens": 5,
    }  # fmt: skip
    assert "no judges here" in summary.examples["failed"][0][1]
    told = str(summary)
    assert "4 of 6" in told
    assert "row 3: " in told
    every = ["untrained", "cut", "reasoning-dropped", "control-tokens"]
    assert len(prepared(rows, options={"mood": "curt"}, max_length=20, drop=every)) == 1


def test_answers_with_fields_that_nothing_is_proven_of_are_counted(prepared, tokenizer):
    template = tokenizer.chat_template.replace("{{ m.content }}", "{{ m.get('plan') or '' }}{{ m.content }}")
    assert "plan" in template
    rows = [[user("hi"), answer("one", plan=plan)] for plan in ("think", None, "")]
    kept = prepared([*rows, [user("hi", plan="x"), answer("one")]], template=template)
    assert dict(summary_of(kept).problems) == {"untold-fields": 1}
    assert summary_of(kept).examples["untold-fields"] == [(0, "plan")]
    assert len(prepared(rows, template=template, drop=["untold-fields"])) == 2


def test_a_row_with_several_problems_is_dropped_once(prepared):
    data = prepared(
        [[user("hi " * 40), answer("one")], [user("hi"), answer("one")]], max_length=20, drop=["cut", "untrained"]
    )
    summary = summary_of(data)
    assert dict(summary.problems) == {"cut": 1, "untrained": 1}
    assert summary.lost == 1 == summary.rows - summary.kept


def test_rows_that_hold_no_conversation_are_told_by_number(prepared):
    rows = [
        {"messages": "hello"},
        {"messages": '[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "one"}]'},
    ]
    summary = summary_of(prepared(rows))
    assert (summary.kept, summary.examples["failed"][0][0]) == (1, 0)


def test_rows_with_pictures_are_told_and_not_garbled(prepared):
    picture = {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "hi"}]}
    assert (
        "pictures"
        in summary_of(prepared([[picture, answer([{"type": "text", "text": "one"}])]])).examples["failed"][0][1]
    )


def test_as_inference_makes_a_row_for_each_context(tokenizer, tmp_path):
    template = (
        "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' }}{% if loop.last and m.reasoning_content %}"
        "{{ m.reasoning_content }}{% endif %}{{ m.content + '<|im_end|>\n' }}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
    )
    talk = [user("hi"), answer("one", reasoning_content="storm"), user("so"), answer("two")]
    data = datasets.Dataset.from_list([{"messages": talk}])
    made = {
        history: prepare(data, tokenizer, template=template, history=history, cache_dir=tmp_path, summary=False)
        for history in ("kept", "as-inference")
    }
    assert [text.strip() for text in trained_texts(tokenizer, made["as-inference"])] == [
        "stormone<|im_end|>",
        "two<|im_end|>",
    ]
    assert "storm" not in tokenizer.decode(made["as-inference"][1]["input_ids"])
    assert len(made["kept"]) == 1
    with pytest.raises(TrainplateError, match="history: 'lost'"):
        prepare(data, tokenizer, history="lost")


def test_a_second_call_finds_what_the_first_has_written(prepared, talks, monkeypatch):
    first = prepared(talks)
    monkeypatch.setattr(stored_conversations, "write", None)
    again = prepared(talks)
    assert again.cache_files == first.cache_files
    assert str(summary_of(again)) == str(summary_of(first))


@pytest.mark.parametrize(
    "changed",
    [{"max_length": 9}, {"options": {"mood": "good"}}, {"train_on": "last-turn"}, {"labels": False}, {"drop": "cut"}],
)
def test_other_options_are_another_result(prepared, talks, changed):
    assert prepared(talks).cache_files != prepared(talks, **changed).cache_files


def test_interrupted_work_leaves_nothing_behind(prepared, talks, tmp_path, monkeypatch):
    work = Preparation.prepared

    def interrupted(self, table, first_row=0):
        if first_row:
            raise KeyboardInterrupt
        return work(self, table, first_row)

    monkeypatch.setattr(stored_conversations, "ROWS_AT_ONCE", 10)
    monkeypatch.setattr(Preparation, "prepared", interrupted)
    with pytest.raises(KeyboardInterrupt):
        prepared(talks)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(Preparation, "prepared", work)
    assert len(prepared(talks)) == 40


def test_a_damaged_cache_is_written_anew(prepared, talks, tmp_path):
    prepared(talks)
    (folder,) = tmp_path.iterdir()
    (folder / "summary.json").write_text("{")
    assert summary_of(prepared(talks)).kept == 40


def test_splits_are_prepared_one_by_one(tokenizer, talks, tmp_path):
    both = datasets.DatasetDict(
        train=datasets.Dataset.from_dict({"messages": talks}), test=datasets.Dataset.from_dict({"messages": talks[:3]})
    )
    done = prepare(both, tokenizer, cache_dir=tmp_path, summary=False)
    assert {name: len(split) for name, split in done.items()} == {"train": 40, "test": 3}


@pytest.mark.parametrize("source", ["dataset", "generator"])
def test_a_stream_is_prepared_as_it_is_read(tokenizer, talks, tmp_path, source, caplog):
    rows = [{"messages": talk} for talk in [*talks, [user("hi")]]]
    whole = datasets.Dataset.from_list(rows)
    if source == "dataset":
        stream = whole.to_iterable_dataset()
    else:
        stream = datasets.IterableDataset.from_generator(lambda: iter(rows))
    expected = prepare(whole, tokenizer, cache_dir=tmp_path, summary=False)
    assert list(prepare(stream, tokenizer)) == list(expected)
    assert "have no token to train" in caplog.text


def test_a_preparation_works_where_it_is_sent(tokenizer, talks):
    preparation = Preparation(tokenizer, tokenizer.chat_template)
    table = pa.table({"messages": talks})
    expected = preparation(table)
    sent = pickle.loads(pickle.dumps(preparation))
    assert sent(table).equals(expected)
    (batch,) = table.to_batches()
    assert pa.Table.from_batches([sent(batch)]).equals(expected)
    assert pa.Table.from_batches(sent(iter([batch]))).equals(expected), "as Spark's mapInArrow calls it"
    data = datasets.Dataset.from_dict({"messages": talks}).with_format("arrow")
    mapped = data.map(sent, batched=True, batch_size=8, num_proc=2, remove_columns=["messages"])
    assert mapped.data.table.combine_chunks().equals(expected.combine_chunks())


def test_what_is_no_data_set_is_refused_with_a_way_out(tokenizer):
    with pytest.raises(TrainplateError, match="expected a data set"):
        prepare([[user("hi")]], tokenizer)
    with pytest.raises(TrainplateError, match="no conversations among the columns text"):
        prepare(datasets.Dataset.from_dict({"text": ["hi"]}), tokenizer)
    with pytest.raises(TrainplateError, match="drop: 'bad'"):
        prepare(datasets.Dataset.from_dict({"messages": [[user("hi")]]}), tokenizer, drop="bad")
