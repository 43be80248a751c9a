"""Notices when a tokenizer is rendered with or saved, whoever does it, and without leaving anything on the tokenizer.

The methods are wrapped on the tokenizer's class for as long as a swap stands: what is put on the tokenizer itself
would be copied and pickled with it, and change the fingerprints of the package `datasets`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import wraps
from threading import RLock
from typing import Any, Protocol

METHODS = ("apply_chat_template", "save_pretrained")
MISSING = object()


class Observer(Protocol):
    """What wants to know of a call."""

    def concerns(self, holder: Any) -> bool:
        """Say whether the object is the observer's, or a copy of it."""

    def rendered(self, holder: Any, conversation: Any, arguments: dict[str, Any]) -> None:
        """Hear of a rendering of one conversation or several, before it is done."""

    def saved(self, holder: Any, save: Callable[[Any], Any], folder: Any) -> Any:
        """Save the object; `save` does so as its class does, with the object it is given."""


@dataclass
class WatchedClass:
    """A class with wrapped methods: what its own dictionary held before, and who is listening."""

    own: dict[str, Any]
    observers: list[Observer] = field(default_factory=list)


_watched: dict[type, WatchedClass] = {}
_lock = RLock()


def observe(observer: Observer, kinds: Iterable[type]) -> None:
    """Let an observer know of every rendering and saving with objects of these classes."""
    with _lock:
        for kind in set(kinds):
            if kind not in _watched:
                _watched[kind] = WatchedClass({name: vars(kind).get(name, MISSING) for name in METHODS})
                wrap(kind)
            _watched[kind].observers.append(observer)


def forget(observer: Observer) -> None:
    """Let an observer go, and give classes that nobody watches any more their own methods back."""
    with _lock:
        for kind, watched in list(_watched.items()):
            watched.observers = [one for one in watched.observers if one is not observer]
            if not watched.observers:
                unwrap(kind, _watched.pop(kind))


def wrap(kind: type) -> None:
    """Put wrappers around the methods of a class, as far as it has them."""
    for name, wrapper in zip(METHODS, (heard_rendering, heard_saving), strict=True):
        if (method := getattr(kind, name, None)) is not None:
            setattr(kind, name, wrapper(kind, method))


def unwrap(kind: type, watched: WatchedClass) -> None:
    """Give a class its own methods back, or those of its parents."""
    for name, method in watched.own.items():
        if method is not MISSING:
            setattr(kind, name, method)
        elif name in vars(kind):
            delattr(kind, name)


def concerned(kind: type, holder: Any) -> list[Observer]:
    """Return the observers to which an object of a watched class belongs."""
    watched = _watched.get(kind)
    return [one for one in watched.observers if one.concerns(holder)] if watched else []


def heard_rendering(kind: type, method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that renders, and tells before."""

    @wraps(method)
    def apply_chat_template(self: Any, *args: Any, **kwargs: Any) -> Any:
        for observer in concerned(kind, self):
            observer.rendered(self, args[0] if args else kwargs.get("conversation"), kwargs)
        return method(self, *args, **kwargs)

    return apply_chat_template


def heard_saving(kind: type, method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that saves as the first observer wants it."""

    @wraps(method)
    def save_pretrained(self: Any, save_directory: Any, *args: Any, **kwargs: Any) -> Any:
        def save(holder: Any) -> Any:
            return method(holder, save_directory, *args, **kwargs)

        for observer in concerned(kind, self):
            return observer.saved(self, save, save_directory)
        return save(self)

    return save_pretrained
