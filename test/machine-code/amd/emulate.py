#!/usr/bin/env python3
"""Runs a compiled kernel on the instruction set's description: emulate.py FOLDER/NAME.json
--grid X,Y,Z --arg NAME=VALUE|@FILE.npy.. --save NAME=FILE.npy..

FOLDER holds NAME.hsaco and NAME.json, as `tilewright compile` leaves them. Needs NumPy,
llvm-objdump and tinygrad 0.14.0 (README.md).
"""

import argparse
import json
import os
import struct
import sys

import numpy as np

import machine
from codeobject import BadCodeObject
from operands import UnknownInstruction
from pseudocode import Untranslatable

SCALARS = {"fp16": "<e", "fp32": "<f", "fp64": "<d", "i1": "<b", "i8": "<b", "i16": "<h", "i32": "<i",
           "i64": "<q", "u1": "<B", "u8": "<B", "u16": "<H", "u32": "<I", "u64": "<Q"}


ERRORS = (machine.Failure, BadCodeObject, UnknownInstruction, Untranslatable)


def scalar_bytes(kind, value):
    return struct.pack(SCALARS[kind], value)


class Kernel:
    """A kernel of a folder, by its NAME.json."""

    def __init__(self, path):
        self.about = json.load(open(path))
        launch = self.about["launch"]
        self.block = tuple(launch["block"])
        self.dynamic_bytes = launch["dynamic_shared_bytes"]
        code = os.path.join(os.path.dirname(path), launch["code"])
        self.program = machine.Program(code, launch["symbol"], self.about["target"].split(":")[1])
        if self.program.descriptor.kernarg_bytes != launch["kernarg_bytes"]:
            raise machine.Failure("NAME.json and the descriptor differ in the arguments' bytes")

    def run(self, arguments, grid, order=1):
        """arguments: arrays and numbers by name. The arrays are changed in place."""
        values = []
        for argument in self.about["arguments"]:
            if "index" not in argument:
                continue  # a constant, or one that no launcher passes
            value = arguments[argument["name"]]
            if argument["type"].startswith("*"):
                values.append(value.reshape(-1).view(np.uint8))
            else:
                values.append(scalar_bytes(argument["type"], value))
        grid = tuple(grid) + (1,) * (3 - len(grid))
        machine.launch(self.program, values, grid, self.block, self.dynamic_bytes, order)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernel")
    parser.add_argument("--grid", default="1")
    parser.add_argument("--arg", action="append", default=[])
    parser.add_argument("--save", action="append", default=[])
    options = parser.parse_args()
    arguments = {}
    for text in options.arg:
        name, _, value = text.partition("=")
        if value.startswith("@"):
            arguments[name] = np.ascontiguousarray(np.load(value[1:]))
        else:
            arguments[name] = float(value) if any(c in value for c in ".ein") else int(value, 0)
    try:
        kernel = Kernel(options.kernel)
        kernel.run(arguments, tuple(int(x) for x in options.grid.split(",")))
    except ERRORS as error:
        sys.exit(f"{options.kernel}: {error}")
    for text in options.save:
        name, _, path = text.partition("=")
        np.save(path, arguments[name])
    print(f"{kernel.program.executed} instructions of waves")


if __name__ == "__main__":
    main()
