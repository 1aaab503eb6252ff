"""The state of a wave of 32 lanes, and its outstanding loads."""

import numpy as np

LANES = 32
LANE = np.arange(LANES)
EXEC, VCC, NULL, M0 = 126, 106, 124, 125


class Hazard(Exception):
    pass


class Outstanding:
    """Registers that loads have not yet written, as far as the waits so far tell.

    Loads of a kind ("load", "local", "scalar") come back in order, but scalar loads in any.
    """

    def __init__(self):
        self.queues = {"load": [], "local": [], "scalar": []}
        self.pending = {}

    def issue(self, kind, registers):
        entry = (kind, registers)
        self.queues[kind].append(entry)
        for register in registers:
            if register in self.pending and self.pending[register][0] != kind:
                self.check([register])
            self.pending[register] = entry

    def wait(self, kinds, count):
        """At most `count` of what a counter counts are left."""
        if count and self.queues["scalar"] and "scalar" in kinds:
            return
        for kind in kinds:
            self.retire(self.queues[kind], count)

    def retire(self, queue, count):
        while len(queue) > count:
            _, registers = entry = queue.pop(0)
            for register in registers:
                if self.pending.get(register) is entry:
                    del self.pending[register]

    def check(self, registers):
        for register in registers:
            if register in self.pending:
                name = f"v{register - 1000}" if register >= 1000 else f"s{register}"
                raise Hazard(f"{name} is used before a wait for its load")


class Wave:
    def __init__(self, vgprs, memory, local, private_bytes, seed):
        dice = np.random.default_rng(seed)
        # What nobody has written is anything.
        self.v = dice.integers(0, 1 << 32, (vgprs, LANES), np.uint32)
        self.s = dice.integers(0, 1 << 32, 128, np.uint32)
        self.s[NULL] = 0
        self.SCC = np.array([False])
        self.memory, self.local = memory, local
        self.private = dice.integers(0, 256, (LANES, private_bytes), np.uint8)
        self.outstanding = Outstanding()
        self.position = 0
        # At a barrier with two halves: the first is done, the second is not.
        self.signaled = False
        self.set_scalar(EXEC, np.uint32(0xFFFFFFFF))
        self.s[EXEC + 1] = 0

    def set_scalar(self, number, word):
        if number == NULL:
            return
        if not 0 <= number < 128:
            raise Hazard(f"scalar register {number}")
        self.s[number] = word
        if number == EXEC:
            self.lanes = unpack(self.s[EXEC:EXEC + 1])
            self.all_lanes = bool(self.lanes.all())


def unpack(word):
    """A truth value for each lane of an array of one uint32."""
    return np.unpackbits(word.view(np.uint8), bitorder="little").view(np.bool_)


def pack(lanes):
    return np.packbits(lanes, bitorder="little").view(np.uint32)[0]
