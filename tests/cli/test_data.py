"""`trainplate data` tells what becomes of a data set, and writes it whole or not at all."""

import json

import pytest

from trainplate.cli.app import run

datasets = pytest.importorskip("datasets", reason="needs the extra test")
pytest.importorskip("transformers", reason="needs the extra test")

from tiny_tokenizers import tiny  # noqa: E402

TEMPLATE = (
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
GOOD = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "the answer"}]
BAD = [{"role": "user", "content": "hi"}]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    tokenizer = tiny("chatml")
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture
def jsonl(tmp_path):
    def write(*talks, name="talks.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps({"messages": talk, "id": 1}) + "\n" for talk in talks))
        return path

    return write


@pytest.fixture
def data(capsys, model):
    def ran(source, *options):
        code = run(["data", str(source), "--model", str(model), *map(str, options)])
        return code, *capsys.readouterr()

    return ran


def test_a_file_is_prepared_and_written_as_a_folder(data, jsonl, tmp_path):
    code, out, err = data(jsonl(GOOD, GOOD), "--out", tmp_path / "made")
    assert code == 0, err
    assert "2 of 2" in out
    made = datasets.load_from_disk(str(tmp_path / "made"))
    assert made.column_names == ["input_ids", "labels"]
    assert (
        tiny("chatml")
        .decode([token for token in made[0]["labels"] if token != -100])
        .startswith("the answer<|im_end|>")
    )


def test_a_file_is_written_as_parquet_and_read_again(data, jsonl, tmp_path):
    assert data(jsonl(GOOD), "--out", tmp_path / "made.parquet")[0] == 0
    assert datasets.Dataset.from_parquet(str(tmp_path / "made.parquet"), cache_dir=str(tmp_path)).num_rows == 1
    source = tmp_path / "in.parquet"
    datasets.Dataset.from_list([{"messages": GOOD}]).to_parquet(str(source))
    assert "1 of 1" in data(source)[1]


def test_rows_that_would_be_lost_are_an_exit_code_and_nothing_is_written(data, jsonl, tmp_path):
    code, out, err = data(jsonl(GOOD, BAD), "--out", tmp_path / "made")
    assert code == 1
    assert "1 of 2 rows have no token to train (1 dropped)" in out
    assert "row 1: " in out
    assert "--allow-loss" in err
    assert not (tmp_path / "made").exists()
    assert data(jsonl(GOOD, BAD), "--out", tmp_path / "made", "--allow-loss")[0] == 0
    assert datasets.load_from_disk(str(tmp_path / "made")).num_rows == 1


def test_of_a_folder_the_files_of_the_split_are_read(data, jsonl, tmp_path):
    jsonl(GOOD, name="train.jsonl")
    jsonl(GOOD, GOOD, name="test.jsonl")
    assert "1 of 1" in data(tmp_path)[1]
    assert "2 of 2" in data(tmp_path, "--split", "test")[1]


@pytest.mark.parametrize(
    ("text", "said"),
    [('{"messages": [}', "talks.jsonl:1: not JSON"), ("[1]", "talks.jsonl:1: a row that is no JSON object")],
)
def test_a_line_that_is_no_row_is_told_by_its_number(data, tmp_path, text, said):
    (tmp_path / "talks.jsonl").write_text(text)
    code, _, err = data(tmp_path / "talks.jsonl")
    assert code == 2
    assert said in " ".join(err.split())


@pytest.mark.parametrize("source", ["nowhere.jsonl", "./nowhere"])
def test_a_missing_file_is_one_message(data, source):
    code, _, err = data(source)
    assert (code, "no such file" in err) == (2, True)


def test_a_model_without_a_tokenizer_is_one_message(jsonl, tmp_path, capsys):
    assert run(["data", str(jsonl(GOOD)), "--model", str(tmp_path)]) == 2
    assert "no tokenizer.json in it" in " ".join(capsys.readouterr().err.split())


def test_help_names_all_that_can_be_trained_on_and_all_kinds_of_rows_that_can_be_dropped(capsys):
    from trainplate.datasets.problems import FAILED, MEANINGS
    from trainplate.masks.loss_policy import PARTS, WHOLE_TURNS

    assert run(["data", "--help"]) == 0
    told = "".join(capsys.readouterr().out.split())
    for word in (*WHOLE_TURNS, *PARTS, *(kind for kind in MEANINGS if kind != FAILED)):
        assert word in told
