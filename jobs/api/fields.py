"""Serializer fields that do not depend on the host project's formats."""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from rest_framework import serializers
from rest_framework.fields import get_attribute


class UTCTimeField(serializers.DateTimeField):
    """RFC 3339 in UTC with microseconds: `2026-01-31T08:00:00.000000Z`."""

    def to_representation(self, value: Any) -> str:
        return utc_text(value)


def utc_text(at: dt.datetime) -> str:
    plain = at.astimezone(dt.UTC).replace(tzinfo=None)
    return plain.isoformat(timespec="microseconds") + "Z"


class EnumField(serializers.ChoiceField):
    """A choice that is one named enum in the OpenAPI document, wherever it is used."""

    def __init__(
        self, enum_name: str, values: Sequence[str] | type[StrEnum], **kwargs: Any
    ) -> None:
        self.enum_name = enum_name
        super().__init__(choices=[str(value) for value in values], **kwargs)


class ShownField(serializers.JSONField):
    """A payload, result or the like, as `jobs.api.disclosure` shows it to whoever asks.

    `show(value, task)` is a function of that module; what is serialized must have the `task`.
    """

    def __init__(self, show: Callable[[Any, str], Any], **kwargs: Any) -> None:
        self._show = show
        super().__init__(**kwargs)

    def get_attribute(self, instance: Any) -> Any:
        return super().get_attribute(instance), get_attribute(instance, ["task"])

    def to_representation(self, value: Any) -> Any:
        return self._show(*value)


class ShownTextField(serializers.CharField):
    """Likewise for texts."""

    def __init__(self, show: Callable[[str, str], str], **kwargs: Any) -> None:
        self._show = show
        super().__init__(**kwargs)

    def get_attribute(self, instance: Any) -> Any:
        return super().get_attribute(instance), get_attribute(instance, ["task"])

    def to_representation(self, value: Any) -> str:
        return self._show(*value)


# No docstring: it would describe each of them in the OpenAPI document.
class DictSerializer(serializers.Serializer[Any]):
    # Of dicts that have every field by the name of its source, as rows of a list are. For objects
    # of all kinds DRF looks up each value in several ways, which takes longer than to write it.

    @functools.cached_property
    def _writers(self) -> list[tuple[str, str, Callable[[Any], Any], bool]]:
        return [
            (name, str(field.source), field.to_representation, isinstance(field, _OF_TASK))
            for name, field in self.fields.items()
        ]

    def to_representation(self, instance: Mapping[str, Any]) -> dict[str, Any]:
        shown = {}
        for name, source, write, of_task in self._writers:
            value = instance[source]
            if value is not None:
                value = write((value, instance["task"])) if of_task else write(value)
            shown[name] = value
        return shown


_OF_TASK: Final = (ShownField, ShownTextField)
