"""The options of compilations: each row of the table, and how calls give it."""

import json

import numpy as np
import pytest

import kernels
import tilewright
from tilewright import _native
from tilewright import _options

#: A value of each kind that no option has at first.
OTHER = {str: "other", int: 7, bool: True, list: ["first", "second"]}


def other_value(name):
    initial = getattr(_native.Options(), name)
    default = _native.option_defaults[name]
    if initial is None:
        return "other" if isinstance(default, str) else 7
    return OTHER[type(initial)]


@pytest.mark.parametrize("name", _native.option_names)
def test_every_option_is_set_by_its_name_and_alone(name):
    options = _native.Options()
    value = other_value(name)
    assert getattr(options, name) != value
    setattr(options, name, value)
    assert getattr(options, name) == value
    untouched = _native.Options()
    for other in _native.option_names:
        if other != name:
            assert getattr(options, other) == getattr(untouched, other)


@pytest.mark.parametrize("name", _native.option_names)
def test_a_plan_has_every_option_but_folders_of_this_machine(name):
    options = _native.Options()
    setattr(options, name, other_value(name))
    changed = json.loads(options.plan) != json.loads(_native.Options().plan)
    assert changed == (name != "dump_passes_directory")


def test_the_options_of_calls_are_rows():
    assert set(_native.launch_option_names) < set(_native.call_option_names)
    assert set(_native.call_option_names) < set(_native.option_names)
    assert set(_native.option_defaults) == set(_native.option_names)
    assert not set(_native.program_option_names) & set(_native.option_names)
    assert _options.CallOptions._fields == (_native.call_option_names +
                                            _native.program_option_names)


@pytest.mark.parametrize("name", _native.call_option_names)
def test_a_call_gives_an_option_by_its_name(name):
    x = np.zeros(64, np.float32)
    value = {"target": "hip:gfx1201", "num_warps": 8, "num_ctas": 2}.get(name, 1)
    request = kernels.scale.request(x, x, 64, 2.0, **{name: value})
    given = request.options._asdict()
    assert given.pop(name) == value
    given.pop("debug", None)
    assert set(given.values()) == {None}
    assert getattr(request.native_options, name) == value


def test_defaults_are_those_of_the_compiler():
    config = tilewright.Config({})
    initial = json.loads(_native.Options().plan)
    assert config.num_stages == initial["num_stages"] == _options.DEFAULTS["num_stages"]
    x = np.zeros(64, np.float32)
    metadata = kernels.scale.warmup(x, x, 64, 2.0).metadata
    assert metadata.num_warps == config.num_warps == _options.DEFAULTS["num_warps"]
    assert metadata.target == _options.DEFAULTS["target"]
