"""All families, as the folder `chat_templates` knows them."""

from functools import cache
from pathlib import Path

from trainplate.families.facts import Family
from trainplate.families.location import PATCHES, chat_templates_folder
from trainplate.families.schema import read_family


def family_files(folder: Path) -> list[Path]:
    """Return the files of facts in a folder, sorted by name."""
    return sorted(path for path in folder.glob("*.toml") if not path.name.endswith(PATCHES))


@cache
def families() -> tuple[Family, ...]:
    """Return every known family, sorted by name; raises FactError where a file is not as it must be."""
    return tuple(read_family(path) for path in family_files(chat_templates_folder()))


@cache
def family_named(name: str) -> Family:
    """Return the family of that name, and read its file alone; raises FactError where there is none."""
    return read_family(chat_templates_folder() / f"{name}.toml")
