"""Mistakes in data from outside: where they are, and what is said of them."""

from dataclasses import dataclass
from typing import Annotated, Literal

import pytest
from pydantic import Field, ValidationError

from plainmark.schema import Expected, StrictModel, Tagged, json_schema, json_schemas, location_text, mistakes


class Cat(StrictModel):
    """A cat."""

    kind: Literal["cat"] = "cat"
    lives: Annotated[int, Field(ge=1, le=9), Expected("a number of lives")] = 9


class Dog(StrictModel):
    """A dog."""

    kind: Literal["dog"] = "dog"


class Home(StrictModel):
    """A home."""

    street: str = Field(max_length=5)
    town: str = Field(description="where it is")
    pets: tuple[Annotated[Cat | Dog, Field(discriminator="kind"), Tagged("kind")], ...] = Field(
        (), max_length=2
    )
    colour: Literal["red", "green"] = "red"


@dataclass(frozen=True)
class Reply:
    """What comes back."""

    text: str
    number: int = 0


HOME = {"street": "Elm", "town": "Ulm"}


@pytest.mark.parametrize(
    ("data", "location", "message"),
    [
        ({"street": "Elm"}, (), "no 'town'; it is needed."),
        ({}, (), "no 'street', 'town'; they are needed."),
        ({**HOME, "twon": "x"}, ("twon",), "no such key. Did you mean 'town'? Allowed: colour, pets, street, town."),
        ({**HOME, "street": "Elm Street"}, ("street",), "10 characters, expected at most 5."),
        ({**HOME, "street": 5}, ("street",), "<5>, expected a string."),
        ({**HOME, "colour": "gren"}, ("colour",), "<gren>, expected one of red, green. Did you mean 'green'?"),
        ({**HOME, "pets": "cat"}, ("pets",), "<cat>, expected a list."),
        ({**HOME, "pets": [{"kind": "cat"}] * 3}, ("pets",), "3 given, expected at most 2."),
        ({**HOME, "pets": [{}]}, ("pets", 0), "no 'kind'; expected one of cat, dog."),
        ({**HOME, "pets": [{"kind": "cow"}]}, ("pets", 0, "kind"), "<cow>, expected one of cat, dog."),
        ({**HOME, "pets": [{"kind": "cat", "lives": 10}]}, ("pets", 0, "cat", "lives"), "<10>, expected a number of lives."),
        ({**HOME, "pets": [{"kind": "dog", "lives": 1}]}, ("pets", 0, "dog", "lives"), "no such key. Allowed: kind."),
        ("home", (), "<home>, expected keys and values."),
    ],
)  # fmt: skip
def test_mistakes(data, location, message):
    with pytest.raises(ValidationError) as error:
        Home.model_validate(data)
    (mistake,) = mistakes(error.value, lambda value: f"<{value}>")
    assert (mistake.location, mistake.message) == (location, message)
    assert mistake.too_long == ("characters" in message)


def test_locations():
    assert location_text(("pages", 1, "questions", 0, "text")) == "pages[1].questions[0].text"
    assert location_text(()) == ""


def test_schemas_of_what_comes_in_and_goes_out():
    whole = json_schema(Home)
    assert whole["properties"]["town"] == {"description": "where it is", "type": "string"}
    assert whole["additionalProperties"] is False
    assert whole["$defs"]["Cat"]["required"] == ["kind"]
    (home, reply), shared = json_schemas([(Home, "validation"), (Reply, "serialization")], "#/parts/{model}")
    assert home == {"$ref": "#/parts/Home"}
    assert reply == {"$ref": "#/parts/Reply"}
    assert shared["Home"]["required"] == ["street", "town"]
    assert shared["Reply"]["required"] == ["text", "number"]
    assert shared["Reply"]["additionalProperties"] is False
