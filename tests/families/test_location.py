"""The facts about families are found in both kinds of installation."""

import pytest

from trainplate.errors import LoadingError
from trainplate.families.location import chat_templates_folder


def test_a_checkout_has_its_folder_at_the_root():
    assert chat_templates_folder().name == "chat_templates"


def test_a_packed_folder_wins(tmp_path):
    package = tmp_path / "src" / "trainplate"
    (package / "chat_templates").mkdir(parents=True)
    (tmp_path / "chat_templates").mkdir()
    assert chat_templates_folder(package) == package / "chat_templates"


def test_a_broken_installation_is_named_with_the_way_out(tmp_path):
    with pytest.raises(LoadingError, match=r"(?s)chat_templates is a folder.*install trainplate again"):
        chat_templates_folder(tmp_path / "src" / "trainplate")
