"""A Hub id is answered from the cache where the network is switched off, and by a clear message otherwise."""

import httpx2
import pytest
from huggingface_hub import constants
from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError

from trainplate.errors import LoadingError
from trainplate.loading.source import load

COMMIT = "0" * 40


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    return tmp_path


def test_a_cached_model_needs_no_network(cache):
    model = cache / "models--owner--model"
    (model / "refs").mkdir(parents=True)
    (model / "refs" / "main").write_text(COMMIT)
    snapshot = model / "snapshots" / COMMIT
    snapshot.mkdir(parents=True)
    (snapshot / "chat_template.jinja").write_text("{{ a }}")
    (snapshot / "tokenizer_config.json").write_text('{"eos_token": "</s>"}')
    (template,) = load("owner/model")
    assert (template.source, template.name) == ("{{ a }}", "owner/model/chat_template.jinja")
    assert template.special_tokens == {"eos_token": "</s>"}


def test_a_model_that_is_not_cached_says_how_to_get_it(cache):
    with pytest.raises(LoadingError, match=r"owner/other: neither .* nor in the cache(.|\n)*unset HF_HUB_OFFLINE"):
        load("owner/other")


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (GatedRepoError, "gated(.|\n)*accept its terms"),
        (RepositoryNotFoundError, "nor a model on the Hub(.|\n)*check the spelling"),
    ],
)
def test_what_the_hub_answers_is_said_in_one_message(monkeypatch, error, expected):
    def refuse(*_, **__):
        raise error("no", response=httpx2.Response(403, request=httpx2.Request("GET", "https://hub")))

    monkeypatch.setattr("huggingface_hub.snapshot_download", refuse)
    with pytest.raises(LoadingError, match=expected):
        load("owner/model")


def test_an_impossible_id_is_a_message():
    with pytest.raises(LoadingError, match="nor a possible Hub id"):
        load("owner/model name!")
