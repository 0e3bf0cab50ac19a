"""Units of measurement: their spellings, dimensions and conversion factors.

A unit has a dimension and a factor to the dimension's base unit; temperatures have an offset as well. "Pound" is a mass
or a currency, "degree" a temperature or an angle: their dimension is undetermined and agrees with either.
"""

from __future__ import annotations

from typing import NamedTuple


class Unit(NamedTuple):
    """A unit with its canonical name."""

    name: str
    dimension: str
    factor: float
    offset: float = 0.0


# dimension: canonical name = factor: other spellings. A plural in -s need not be listed for names of four letters or more.
_TABLE = """
mass: ng = 1e-9: nanogram nanogramme
mass: µg = 1e-6: μg ug mcg microgram microgramme
mass: mg = 1e-3: mgs milligram milligramme
mass: g = 1: gm gms gram gramme
mass: kg = 1e3: kgs kilo kilos kilogram kilogramme
mass: tonne = 1e6: ton tons tonnes
mass: oz = 28.35: ounce
mass: lb = 453.6: lbs
mass: stone = 6350:
volume: µl = 1e-6: μl ul microlitre microliter
volume: ml = 1e-3: mls cc millilitre milliliter
volume: cl = 1e-2: centilitre centiliter
volume: dl = 1e-1: decilitre deciliter
volume: l = 1: litre liter
volume: gallon = 4: gal
volume: pint = 0.52:
volume: teaspoon = 5e-3: tsp teaspoonful
volume: tablespoon = 15e-3: tbsp tablespoonful
volume: cup = 0.24: cupful
volume: barrel = 159:
length: nm = 1e-9: nanometre nanometer
length: µm = 1e-6: μm um micrometre micrometer micron
length: mm = 1e-3: millimetre millimeter
length: cm = 1e-2: cms centimetre centimeter
length: inch = 0.0254: inches
length: foot = 0.3048: feet ft
length: yard = 0.9144: yd yds
length: m = 1: metre meter
length: km = 1e3: kms kilometre kilometer
length: mile = 1609.3: mi
length: light-year = 9.46e15: lightyear
area: m² = 1: sqm
area: acre = 4047:
area: hectare = 1e4: ha hectares
time: ms = 1e-3: msec millisecond
time: second = 1: sec secs s
time: minute = 60: min mins
time: hour = 3600: hr hrs h
time: day = 86400: d night nights
time: week = 604800: wk wks
time: fortnight = 1209600:
time: month = 2629800: mo mos mth mths
time: year = 31557600: yr yrs y
time: decade = 315576000:
time: century = 3155760000: centuries
time: millennium = 31557600000: millennia
percent: % = 1: percent pct prozent percents
point: percentage point = 1: pp
times: times = 1: fold × x
energy: joule = 1: j
energy: kJ = 1e3: kilojoule
energy: kcal = 4184: kilocalorie calorie cal
energy: kWh = 3.6e6:
power: watt = 1: w
power: kW = 1e3: kilowatt
power: MW = 1e6: megawatt
power: GW = 1e9: gigawatt
pressure: mmHg = 133.3:
pressure: kPa = 1e3: kilopascal
pressure: Pa = 1: pascal
substance: nmol = 1e-9: nanomole
substance: µmol = 1e-6: μmol umol micromole
substance: mmol = 1e-3: millimole
substance: mol = 1: mole
substance: mEq = 1e-3: meq milliequivalent
molar: nM = 1e-9: nanomolar
molar: µM = 1e-6: μm micromolar
molar: mM = 1e-3: millimolar
activity: unit = 1: iu
speed: mph = 1.609:
speed: km/h = 1: kph kmh
memory: KB = 1e3: kilobyte
memory: MB = 1e6: megabyte
memory: GB = 1e9: gigabyte
memory: TB = 1e12: terabyte
frequency: Hz = 1: hertz
frequency: kHz = 1e3: kilohertz
frequency: MHz = 1e6: megahertz
frequency: GHz = 1e9: gigahertz
voltage: volt = 1: v
sound: dB = 1: decibel
share: ppm = 1e-6:
share: ppb = 1e-9:
rate: bpm = 1:
temperature: °C = 1: celsius centigrade ℃
temperature: °F = 1: fahrenheit ℉
?temperature: degree = 1: °
?money: pound = 1:
money: GBP = 1: £ quid
money: USD = 1: us$
money: dollar = 1: $ buck bucks
money: EUR = 1: € euro euros
money: JPY = 1: ¥ yen
money: INR = 1: ₹ rupee rs
money: CHF = 1:
money: AUD = 1: a$ au$
money: CAD = 1: c$ ca$
money: yuan = 1: rmb cny
money: rouble = 1: ruble
money: KRW = 1: ₩
money: cent = 1: cents ¢
money: penny = 1: pence
money: peso = 1:
money: krona = 1: kronor kroner krone
"""

# Letters that are a unit only directly after digits and before no letter ("5 s", "3 h"); as words they mean something else.
SHORT = frozenset("s h d y m g l j w v x × pp mi mo rs ha cal min sec".split())
# Words that are sometimes units: "cup", "units" and "won" need a number in digits or words directly before them.
CURRENCY_SIGNS = frozenset("£$€¥₹₩")


def _read() -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    for line in _TABLE.strip().splitlines():
        dimension, _, rest = line.partition(": ")
        definition, _, spellings = rest.rpartition(":")
        name, _, factor = definition.partition(" = ")
        offset = 273.15 if name == "°C" else 255.37 if name == "°F" else 0.0
        unit = Unit(name, dimension, float(factor) if name != "°F" else 5 / 9, offset)
        for spelling in (name.lower(), *spellings.split()):
            units.setdefault(spelling, unit)
            if len(spelling) >= 3 and spelling.isalpha() and not spelling.endswith("s"):
                units.setdefault(spelling + "s", unit)
    return units


UNITS = _read()
BY_NAME = {unit.name: unit for unit in UNITS.values()}
NO_UNIT = Unit("", "", 1.0)
PERCENT, POINT, TIMES = BY_NAME["%"], BY_NAME["percentage point"], BY_NAME["times"]
YEAR, DAY = BY_NAME["year"], BY_NAME["day"]
WORKING_DAY = Unit("working day", "time", DAY.factor * 7 / 5)

# Adverbs and adjectives that express a rate: "5 mg daily".
PER = {
    "daily": "day",
    "nightly": "day",
    "weekly": "week",
    "fortnightly": "fortnight",
    "monthly": "month",
    "yearly": "year",
    "annually": "year",
    "annual": "year",
    "hourly": "hour",
    "quarterly": "quarter",
    "biannually": "half-year",
    "diem": "day",
    "annum": "year",
}
# The frequency per day of these adverbs.
PER_DAY = {
    "second": 86400.0,
    "minute": 1440.0,
    "hour": 24.0,
    "day": 1.0,
    "week": 1 / 7,
    "fortnight": 1 / 14,
    "month": 1 / 30.44,
    "quarter": 1 / 91.3,
    "half-year": 1 / 182.6,
    "year": 1 / 365.25,
    "decade": 1 / 3652.5,
}
for _name, _rate in PER_DAY.items():
    BY_NAME[f"per {_name}"] = Unit(f"per {_name}", "often", _rate)


# Suffixes that raise a unit of length to an area or a volume.
POWERS = {"²": 2, "³": 3, "2": 2, "3": 3, "squared": 2, "cubed": 3}


def power(unit: Unit, exponent: int) -> Unit:
    """A unit of length, converted to one of area (exponent 2) or of volume (3, in litres)."""
    if exponent == 2:
        return Unit(f"{unit.name}²", "area", unit.factor**2)
    return Unit(f"{unit.name}³", "volume", unit.factor**3 * 1000)


def base_value(number: float, unit: Unit) -> float:
    """A number in the base unit of its dimension."""
    return number * unit.factor + unit.offset


def agree(a: Unit, b: Unit) -> bool:
    """Whether two units measure the same thing; "pound" agrees with money and mass, "degree" with temperatures."""
    if a.dimension == b.dimension:
        return True
    for unit, other in ((a, b), (b, a)):
        if unit.dimension == "?money":
            return other.dimension in ("mass", "money")
        if unit.dimension == "?temperature":
            return other.dimension == "temperature"
    return False


def as_mass(unit: Unit) -> Unit:
    """The pound as a mass."""
    return UNITS["lb"] if unit.name == "pound" else unit
