"""Runs a kernel of a code object: work-groups in order, their waves from barrier to barrier."""

import re

import numpy as np

import codeobject
import lanes
import local_memory
import matrix
import operands
import pseudocode
import scalar
import vector
import vector_memory
from memory import Local, Memory
from operands import UnknownInstruction
from wave import LANES, Hazard, Wave

# gfx12 counts each kind of load separately; gfx11 has two counters for all.
WAITS = {"vmcnt": ["load"], "lgkmcnt": ["local", "scalar"], "s_wait_loadcnt": ["load"],
         "s_wait_dscnt": ["local"], "s_wait_kmcnt": ["scalar"], "s_wait_samplecnt": [],
         "s_wait_storecnt": [], "s_wait_bvhcnt": [], "s_wait_expcnt": [], "s_waitcnt_vscnt": []}
CACHES = {"buffer_gl0_inv", "buffer_gl1_inv", "global_inv", "global_wb", "global_wbinv", "s_dcache_inv"}
IMAGE = 0x3B5_5555_0000  # where address 0 of a code object is loaded
END, BARRIER = object(), object()


class Failure(Exception):
    pass


def compile_wait(text, gfx):
    """What a wait says of which counter: [(counter, most that may be outstanding)..]."""
    name, _, rest = text.partition(" ")
    if name == "s_waitcnt":
        pairs = [(kind, int(count)) for kind, count in re.findall(r"(\w+)\((\d+)\)", rest)]
        found = [(kind, count) for kind, count in pairs if kind != "expcnt"]
    elif name in ("s_wait_loadcnt_dscnt", "s_wait_storecnt_dscnt"):
        value = int(rest, 0)
        found = [("s_wait_dscnt", value & 63), (name.removesuffix("_dscnt"), value >> 8 & 63)]
    elif name == "s_wait_idle":
        found = [("s_wait_loadcnt", 0), ("s_wait_dscnt", 0), ("s_wait_kmcnt", 0)]
    elif name in WAITS:
        found = [(name, int(rest.split(",")[-1], 0))]
    else:
        return None

    def run(wave):
        for kind, count in found:
            wave.outstanding.wait(WAITS[kind], count)
    return run


def signal(wave):
    """The first half of a barrier: this wave has done with local memory until the second half."""
    if any(wave.outstanding.queues.get("local", ())):
        raise Hazard("local memory is outstanding at a signal")
    if wave.signaled:
        raise Hazard("signals twice at a barrier")
    wave.signaled = True


def outside_barriers(access):
    """`access` of local memory, which others write between the halves of a barrier."""
    def run(wave):
        if wave.signaled:
            raise Hazard("local memory is accessed between a signal and the wait")
        access(wave)
    return run


class Program:
    """The instructions of a kernel as functions that change a wave."""

    def __init__(self, path, name, arch):
        self.major = 12 if arch.startswith("gfx12") else 11
        self.elf = codeobject.Elf(path)
        self.descriptor = codeobject.Descriptor.read(self.elf, name, self.major)
        kernels = self.elf.metadata()["amdhsa.kernels"]
        self.metadata, = [kernel for kernel in kernels if kernel[".name"] == name]
        self.library = LIBRARIES.setdefault(self.major, None) or pseudocode.Library(f"rdna{self.major - 8}")
        LIBRARIES[self.major] = self.library
        listing = codeobject.disassemble(path, arch)
        self.places = {address: place for place, (address, _) in enumerate(listing)}
        self.start = self.places[self.descriptor.entry]
        self.names = set()
        self.steps = [self.compile(address, text) for address, text in listing]
        self.texts = [text for _, text in listing]
        self.executed = 0

    def compile(self, address, text):
        """(registers, function): None for no function."""
        wait = compile_wait(text, self.major)
        self.names.add(text.split()[0])
        if wait:
            return (), wait
        name = text.split()[0]
        if name in scalar.NOTHING or name in CACHES or name == "v_nop":
            return (), None
        if name == "s_barrier_signal":
            return (), signal
        if name == "s_endpgm":
            return (), END
        if name in ("s_barrier", "s_barrier_wait"):
            return (), BARRIER
        if "::" in text:
            return self.compile_dual(address, text)
        instruction = operands.parse(address, text)
        # Loads of a kind come back in order: a later one may write what an earlier one does.
        read = instruction.operands[1 if re.match("(global|buffer|scratch|ds)_load", name) else 0:]
        registers = tuple(r for operand in read for r in operand.registers())
        return registers, self.compile_one(instruction)

    def compile_one(self, instruction):
        name = instruction.name
        if name in scalar.BRANCHES:
            return scalar.compile_branch(instruction, self.places)
        if name in ("s_getpc_b64", "s_setpc_b64", "s_swappc_b64"):
            return scalar.compile_jump(instruction, self.places, IMAGE)
        if name.startswith("s_load"):
            return scalar.compile_load(instruction)
        if name.startswith("s_"):
            return scalar.compile_arithmetic(instruction, self.library)
        if name in lanes.TABLE:
            return lanes.TABLE[name](instruction)
        if name.startswith("v_wmma"):
            return matrix.compile_product(instruction, self.major)
        if name.startswith("v_"):
            compute, commit = vector.compile_vector(instruction, self.library)
            return lambda wave: commit(wave, compute(wave))
        if name.startswith("ds_"):
            access = local_memory.compile_local(instruction)
            is_exchange = "permute" in name or "swizzle" in name
            return access if is_exchange else outside_barriers(access)
        if name.startswith("global_"):
            return vector_memory.compile_global(instruction)
        if name.startswith("buffer_"):
            return vector_memory.compile_buffer(instruction)
        if name.startswith("scratch_"):
            return vector_memory.compile_scratch(instruction)
        raise UnknownInstruction(instruction.text)

    def compile_dual(self, address, text):
        """Two operations at once: both read before either writes."""
        parts, registers = [], []
        for half in text.split("::"):
            instruction = operands.parse(address, half.strip())
            registers += [r for operand in instruction.operands for r in operand.registers()]
            parts.append(vector.compile_vector(instruction, self.library))
        (first, put_first), (second, put_second) = parts

        def run(wave):
            one, other = first(wave), second(wave)
            other = ([np.array(value) for value in other[0]], other[1])
            put_first(wave, one)
            put_second(wave, other)
        return tuple(registers), run

    def run(self, wave):
        """To the next barrier (True) or to the end (False)."""
        steps, outstanding = self.steps, wave.outstanding
        while True:
            place = wave.position
            registers, function = steps[place]
            wave.position = place + 1
            self.executed += 1
            if function is None:
                continue
            if function is END:
                return False
            if function is BARRIER:
                if any(wave.outstanding.queues.get("local", ())):
                    raise Failure(self.tell(place, "local memory is outstanding at a barrier"))
                if self.major >= 12 and not wave.signaled:
                    raise Failure(self.tell(place, "waits at a barrier without having signalled"))
                wave.signaled = False
                return True
            try:
                if outstanding.pending:
                    outstanding.check(registers)
                function(wave)
            except Exception as error:
                raise Failure(self.tell(place, f"{type(error).__name__}: {error}")) from error

    def tell(self, place, what):
        before = "\n    ".join(self.texts[max(0, place - 6):place + 1])
        return f"{what}, in the last of\n    {before}"


LIBRARIES = {}


def kernel_arguments(program, values, grid, block):
    """The bytes of the kernel argument segment. values: addresses and scalars' bytes, in order."""
    # LLVM's loads may take in more, up to the next multiple of their size: it is never used.
    size = (program.descriptor.kernarg_bytes + 63) // 64 * 64
    data = np.random.default_rng(9).integers(0, 256, size, np.uint8)
    explicit = iter(values)
    hidden = {}
    for i, axis in enumerate("xyz"):
        hidden[f"hidden_block_count_{axis}"] = grid[i]
        hidden[f"hidden_group_size_{axis}"] = block[i]
        hidden[f"hidden_remainder_{axis}"] = 0
        hidden[f"hidden_global_offset_{axis}"] = 0
    hidden["hidden_grid_dims"] = 3
    for argument in program.metadata.get(".args", []):
        kind, offset, size = argument[".value_kind"], argument[".offset"], argument[".size"]
        if kind in ("by_value", "global_buffer"):
            content = next(explicit)
            if len(content) != size:
                raise Failure(f"an argument of {size} bytes is given {len(content)}")
        elif kind in hidden:
            content = hidden[kind].to_bytes(size, "little")
        else:
            content = b"\xCD" * size  # not for us to know: what reads it stands out
        data[offset:offset + size] = np.frombuffer(content, np.uint8)
    if next(explicit, None) is not None:
        raise Failure("more arguments than the metadata name")
    return data


def start_wave(program, memory, local, kernarg, group, index, warps):
    """A wave as the command processor leaves it."""
    descriptor = program.descriptor
    wave = Wave(descriptor.vgprs, memory, local, descriptor.private_bytes, hash((group, index)) & 0xFFFF)
    wave.position = program.start
    number = 0
    for what, size in descriptor.user:
        if what != "kernarg":
            raise Failure(f"user register {what}")
        wave.s[number], wave.s[number + 1] = kernarg & 0xFFFFFFFF, kernarg >> 32
        number += size
    if program.major == 12:
        wave.s[108 + 9] = group[0]
        wave.s[108 + 7] = group[1] | group[2] << 16
    else:
        number = descriptor.user_sgprs
        for enabled, place in zip(descriptor.workgroup_ids, group):
            if enabled:
                wave.s[number] = place
                number += 1
    wave.v[0] = np.arange(index * LANES, (index + 1) * LANES)
    return wave


def launch(program, arrays, grid, block, dynamic_bytes=0, order=1):
    """Runs all work-groups. arrays: bytes of scalars, or contiguous uint8 arrays that stand for
    memory, in the order of the arguments. order: 1, or -1 for the reverse order of waves and
    work-groups, and other addresses."""
    memory = Memory() if order == 1 else Memory(0x1234_5678_9000)
    for name, start, data in program.elf.loaded():
        memory.put(name, IMAGE + start, data)
    values = []
    for index, array in enumerate(arrays):
        if isinstance(array, bytes):
            values.append(array)
        else:
            values.append(memory.add(f"argument {index}", array).to_bytes(8, "little"))
    kernarg = memory.add("the kernel arguments", kernel_arguments(program, values, grid, block))
    if block[1:] != (1, 1) or block[0] % LANES:
        raise Failure(f"work-groups of {block}")
    groups = [(x, y, z) for z in range(grid[2]) for y in range(grid[1]) for x in range(grid[0])]
    with np.errstate(all="ignore"):
        for group in groups[::order]:
            local = Local(program.descriptor.group_bytes + dynamic_bytes)
            waves = [start_wave(program, memory, local, kernarg, group, i, block[0] // LANES)
                     for i in range(block[0] // LANES)]
            while waves:
                alive = [program.run(wave) for wave in waves[::order]][::order]
                if any(alive) and not all(alive):
                    raise Failure("some waves end while others wait at a barrier")
                waves = [wave for wave, more in zip(waves, alive) if more]
