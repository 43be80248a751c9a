"""What is learnt of pieces from the samples."""

from trainplate.fixes.marking.labels import Label, read_pieces
from trainplate.fixes.marking.sample import Sample
from trainplate.rendering.trace import trace

MESSAGES = [{"role": "user", "content": "Umber"}, {"role": "assistant", "content": "Amber"}]


def labels(source: str, start: str, end: str = "", latest: str = "") -> dict[str, Label]:
    tracer = trace(source)
    text = tracer.render(MESSAGES).text
    span = (text.index(start), text.index(end) + len(end) if end else len(text))
    sample = Sample(MESSAGES, None, {}, text, (span,), (text.index(latest),) if latest else ())
    readings = read_pieces(tracer, [sample]).values()
    return {source[r.piece.extent.start : r.piece.extent.end]: r.label for r in readings}


def test_pieces_are_told_apart_by_what_the_model_writes() -> None:
    found = labels("{% for m in messages %}{{ '<' ~ m.role ~ '>' ~ m.content ~ '.' }}{% endfor %}", "Amber")
    assert found["'<'"] == found["m.role"] == Label.SUPPLIED
    assert found["m.content"] == found["'.'"] == Label.SHARED


def test_a_constant_with_an_edge_in_it_has_sections() -> None:
    tracer = trace("{% for m in messages %}{{ '[' + m.role + ']>' + m.content }}{% endfor %}")
    text = tracer.render(MESSAGES).text
    sample = Sample(MESSAGES, None, {}, text, ((text.rindex(">"), len(text)),))
    reading = next(r for r in read_pieces(tracer, [sample]).values() if getattr(r.piece.node, "value", "") == "]>")
    assert reading.sections == ((1, Label.SUPPLIED), (2, Label.SHARED))


def test_white_space_behind_a_turn_that_is_printed_for_itself_stays_outside() -> None:
    found = labels("{% for m in messages %}{{ m.content }}{{ '\\n' if m.role == 'assistant' }}{% endfor %}", "Amber")
    assert found["'\\n' if m.role == 'assistant'"] == Label.SUPPLIED


def test_white_space_behind_a_turn_may_stay_with_what_prints_it() -> None:
    found = labels("{% for m in messages %}{{ m.content + '\\n' }}{% endfor %}", "Amber")
    assert found["'\\n'"] == Label.BLANK


def test_what_stands_in_place_of_a_prompt_may_stand_on_either_side() -> None:
    source = "{% for m in messages %}{{ '<' + m.role + '>' }}{{ '?' }}{{ m.content }}{% endfor %}"
    assert labels(source, "?Amber", latest="Amber")["'?'"] in (Label.BLANK, Label.OTHERS)


def test_what_never_prints_is_unseen() -> None:
    assert labels("{{ messages[1].content }}{% if 0 %}{{ 'x' }}{% endif %}", "Amber")["'x'"] == Label.UNSEEN
