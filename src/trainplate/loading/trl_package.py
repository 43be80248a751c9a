"""`trl:NAME`: an original that the installed `trl` package stores; the package itself is not imported."""

from importlib.util import find_spec
from pathlib import Path

from trainplate.loading.named_templates import templates_in
from trainplate.loading.text_file import failure, read_text
from trainplate.template import Template


def load_from_trl(name: str, shown: str) -> tuple[Template, ...]:
    """Return the stored template of that name, e.g. `qwen3`; an unknown name is answered with the known ones."""
    known = stored_in_trl(shown)
    if name not in known:
        originals = ", ".join(sorted(stem for stem in known if not stem.endswith("_training")))
        raise failure(shown, "no such template in the installed trl", f"name one of: {originals}")
    return templates_in(read_text(known[name], shown), None, shown)


def stored_in_trl(shown: str = "trl:NAME") -> dict[str, Path]:
    """Return the files of the installed `trl` by name, originals and its own training templates."""
    spec = find_spec("trl")
    if spec is None or not spec.submodule_search_locations:
        raise failure(shown, "the package trl is not installed", "pip install 'trainplate[trl]'")
    folder = Path(next(iter(spec.submodule_search_locations))) / "chat_templates"
    return {path.stem: path for path in folder.glob("*.jinja")}
