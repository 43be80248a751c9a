"""The engine, which knows no family, arrives at templates that render and mask as the recorded ones do."""

from datetime import datetime

from record_patches import patch_by_engine

from trainplate.conversations import applicable, learn_support, option_sets, with_options
from trainplate.errors import Declined
from trainplate.patching.choosing import as_objects
from trainplate.rendering import compile_template

CLOCK = datetime(2024, 7, 26)


def test_the_engine_arrives_where_the_record_does(newest):
    patch = patch_by_engine(newest.template)
    if patch.training_template == newest.training:
        return
    mine, theirs = (compiled(newest, source) for source in (patch.training_template, newest.training))
    for told in conversations(newest):
        assert marked(mine, told) == marked(theirs, told), told.label
    assert {(one.reason, one.conversation) for one in patch.deviations} == set(newest.patch.deviations)


def compiled(known, source):
    return compile_template(source, special_tokens=known.template.special_tokens, clock=CLOCK)


def conversations(known):
    original = compiled(known, known.source)

    def say(messages, tools, add_generation_prompt, **options):
        try:
            return original.render(messages, tools, add_generation_prompt=add_generation_prompt, **options)
        except Declined:
            return None

    support = learn_support(say, known.source)
    for told in applicable(support).conversations:
        yield from (as_objects(with_options(told, **options)) for options in option_sets(support))


def marked(template, told):
    try:
        found = template.render_marked(told.messages, told.tools, **told.options)
    except Declined:
        return None
    trained = [found.text[start:end].rstrip() for start, end in found.spans]
    return found.text, trained
