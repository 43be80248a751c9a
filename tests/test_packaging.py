"""The package holds all that it needs, in a wheel as in an editable installation."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ASK = "from trainplate.families.location import chat_templates_folder as f; print(f())"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build a wheel of each kind and unpack it, which is all that installing it does to Python."""
    wheel = pytest.importorskip("hatchling.builders.wheel", reason="needs the extra test")

    def unpacked(kind):
        folder = tmp_path_factory.mktemp(kind)
        (built,) = wheel.WheelBuilder(str(ROOT)).build(directory=str(folder / "dist"), versions=[kind])
        with zipfile.ZipFile(built) as archive:
            archive.extractall(folder / "site")
        return folder / "site"

    return unpacked


def folder_found(site):
    code = f"import site, sys; known = list(sys.path); site.addsitedir({str(site)!r}); sys.path = "
    code += f"[path for path in sys.path if path not in known] + known; {ASK}"
    return Path(
        subprocess.run([sys.executable, "-I", "-c", code], check=True, capture_output=True, text=True).stdout.strip()
    )


def test_a_wheel_holds_code_data_and_licence(site):
    root = site("standard")
    held = {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    assert {f"trainplate/{name}" for name in ("py.typed", "demo/tokenizer.json", "demo/chat_template.jinja")} <= held
    for folder, packed in (("src/trainplate", "trainplate"), ("chat_templates", "trainplate/chat_templates")):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path.suffix in (".py", ".json", ".jinja", ".toml"):
                assert f"{packed}/{path.relative_to(ROOT / folder).as_posix()}" in held
    assert any(name.endswith("licenses/LICENSE") for name in held)
    assert folder_found(root) == root / "trainplate" / "chat_templates"


def test_an_editable_installation_finds_the_folder_of_the_checkout(site):
    assert folder_found(site("editable")) == ROOT / "chat_templates"
