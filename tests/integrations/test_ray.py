"""Ray Data gets the rows of the local path, byte for byte."""

import os
import sys

import pytest

datasets = pytest.importorskip("datasets", reason="needs the extra test")
pytest.importorskip("transformers", reason="needs the extra test")

from tiny_tokenizers import tiny  # noqa: E402

from trainplate import prepare  # noqa: E402
from trainplate.datasets import preparation_of  # noqa: E402
from trainplate.integrations.ray import Preparing  # noqa: E402

TEMPLATE = (
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' }}{% if m.role == 'assistant' %}"
    "{% generation %}{{ m.content + '<|im_end|>' }}{% endgeneration %}{% else %}{{ m.content + '<|im_end|>' }}"
    "{% endif %}{{ '\n' }}{% endfor %}"
)
ROWS = [
    {
        "messages": [
            {"role": "user", "content": f"the river {index}"},
            {"role": "assistant", "content": "the answer " * (index % 5)},
        ]
    }
    for index in range(60)
]


@pytest.fixture
def local(tmp_path):
    data = datasets.Dataset.from_list(ROWS)
    return prepare(data, tiny("chatml"), template=TEMPLATE, cache_dir=tmp_path, summary=False).data.table


def test_a_worker_makes_the_rows_of_the_local_path(local):
    table = datasets.Dataset.from_list(ROWS).data.table
    assert Preparing(preparation_of(tiny("chatml"), template=TEMPLATE))(table).equals(local)


def test_two_workers_of_ray_make_the_rows_of_the_local_path(local, monkeypatch):
    pytest.importorskip("ray.data", reason="needs the extra ray")
    import ray

    from trainplate.integrations.ray import prepare as prepare_with_ray

    monkeypatch.setenv("RAY_raylet_start_wait_time_s", "120")
    paths = os.pathsep.join(path for path in sys.path if path)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": paths}})
    try:
        ray.data.DataContext.get_current().enable_progress_bars = False
        ray.data.DataContext.get_current().execution_options.preserve_order = True
        prepared = prepare_with_ray(ray.data.from_items(ROWS), tiny("chatml"), template=TEMPLATE, batch_rows=8)
        rows = prepared.take_all()
    finally:
        ray.shutdown()
    expected = local.to_pylist()
    assert [{name: list(values) for name, values in row.items()} for row in rows] == expected
