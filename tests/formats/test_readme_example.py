"""The format that the README shows is the one in the file."""

import re
from pathlib import Path

from trainplate.formats import format_from_toml, load_format

README = Path(__file__).parents[2] / "README.md"


def test_the_format_in_the_readme_is_the_file():
    shown = re.search(r"```toml\n(version = .*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert shown
    assert format_from_toml(shown[1]) == load_format("alpaca")
