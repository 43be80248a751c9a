"""A Hub id: the small files of a model repository, through huggingface_hub with its cache and its offline switch."""

from pathlib import Path

from trainplate.errors import LoadingError
from trainplate.loading.model_folder import ADDITIONAL, MAIN, load_model_folder
from trainplate.loading.text_file import failure
from trainplate.template import Template

FILES = (
    MAIN,
    f"{ADDITIONAL}/*.jinja",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "processor_config.json",
    "chat_template.json",
)


def load_from_hub(model: str) -> tuple[Template, ...]:
    """Return the templates of a model on the Hub; without network, those the cache has."""
    return load_model_folder(snapshot(model), model)


def snapshot(model: str) -> Path:
    """Return the cached folder with the model's small files, fetched first where that is allowed."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import (
        GatedRepoError,
        HFValidationError,
        LocalEntryNotFoundError,
        RepositoryNotFoundError,
    )

    try:
        return Path(snapshot_download(model, allow_patterns=list(FILES)))
    except GatedRepoError:
        raise failure(model, "the model is gated", "accept its terms on its page, then: hf auth login") from None
    except RepositoryNotFoundError:
        raise unknown(model, "neither a file or folder here nor a model on the Hub that you may read") from None
    except HFValidationError:
        raise unknown(model, "neither a file or folder here nor a possible Hub id") from None
    except LocalEntryNotFoundError:
        what = "neither a file or folder here nor in the cache, and the Hub cannot be reached"
        raise failure(model, what, "check the path; for a Hub id, go online once or unset HF_HUB_OFFLINE") from None
    except Exception as error:
        raise failure(
            model, f"the Hub answered: {first_line(error)}", "try again later, or name a local file"
        ) from error


def unknown(model: str, what: str) -> LoadingError:
    """Return the error for a name that nothing answers to."""
    return failure(model, what, "check the spelling; for a private model: hf auth login")


def first_line(error: Exception) -> str:
    """Return what an error says in one line."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
