"""Every original that the installed trl stores has a response template that is derived and proven."""

from types import SimpleNamespace

import pytest

from trainplate.errors import LoadingError
from trainplate.loading.trl_package import stored_in_trl
from trainplate.responses import derive_response_template
from trainplate.responses.lessons import learn
from trainplate.responses.proof import failure, is_rewritten
from trainplate.template import Template

TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}


def originals():
    try:
        names = sorted(name for name in stored_in_trl() if not name.endswith("_training"))
    except LoadingError:
        return [pytest.param("none", marks=pytest.mark.skip(reason="needs the package trl"))]
    return names


def original(name):
    return Template(stored_in_trl()[name].read_text(encoding="utf-8"), TOKENS, name)


@pytest.mark.parametrize("name", originals())
def test_every_original_is_read_back(name, parse):
    found = derive_response_template(original(name))
    assert found.template is not None, found.findings
    assert found.proven_by >= 10
    assert all(finding.witness.startswith("call with") for finding in found.findings)


@pytest.mark.parametrize("name", ["glm4moe", "gptoss", "llama3_1", "nemotron_3_nano", "qwen3", "qwen3_5_think"])
def test_trl_own_response_template_reads_back_nothing_that_ours_does_not(name, parse):
    utils = pytest.importorskip("trl.chat_template_utils", reason="needs the package trl")
    template = original(name)
    holder = SimpleNamespace(chat_template=template.source, response_template=None)
    theirs = utils.add_response_schema(holder).response_template
    ours = derive_response_template(template).template
    for said in learn(template).told:
        if said.text.startswith(said.prompt) and not is_rewritten(said):
            completion = said.text[len(said.prompt) :]
            if failure(theirs, said, said.prompt, completion) is None:
                assert failure(ours, said, said.prompt, completion) is None, said.label
