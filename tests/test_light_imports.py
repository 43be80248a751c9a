"""Heavy libraries are imported only where they are used."""

import subprocess
import sys
from pathlib import Path

SRC = str(Path(__file__).parents[1] / "src")
LIGHT = f"""
import sys
class OnlyJinja:
    def find_spec(self, name, path=None, target=None):
        root = name.partition(".")[0]
        if root not in sys.stdlib_module_names and root not in ("trainplate", "jinja2", "markupsafe"):
            raise ModuleNotFoundError(name + " is not part of the light base", name=name)
sys.meta_path.insert(0, OnlyJinja())
sys.path.insert(0, {SRC!r})
"""
TEMPLATE = (
    "{% for m in messages %}{{ '<' + m.role + '>' + m.content + '</s>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<assistant>' }}{% endif %}"
)


def run(code):
    return subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)


def test_patching_a_text_needs_jinja_alone():
    result = run(f"{LIGHT}\nimport trainplate\nprint(trainplate.patch({TEMPLATE!r}).training_template)")
    assert result.returncode == 0, result.stderr
    assert "{% generation %}" in result.stdout or "{%- generation" in result.stdout


def test_the_command_line_starts_without_torch_or_transformers():
    code = f"import sys; sys.path.insert(0, {SRC!r}); import trainplate.cli.app; print(*sys.modules)"
    result = run(code)
    assert result.returncode == 0, result.stderr
    assert {"torch", "transformers", "trl", "datasets", "numpy", "huggingface_hub"}.isdisjoint(result.stdout.split())
