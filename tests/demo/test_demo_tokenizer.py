"""The embedded tokenizer is what its script writes."""

import json
import runpy
from pathlib import Path

from trainplate.demo import TOKENIZER

SCRIPT = Path(__file__).parents[2] / "scripts" / "make_demo_tokenizer.py"


def test_the_script_writes_the_embedded_tokenizer_again():
    trained = runpy.run_path(str(SCRIPT))["trained"]()
    assert json.loads(trained.to_str()) == json.loads(TOKENIZER.read_text(encoding="utf-8"))
