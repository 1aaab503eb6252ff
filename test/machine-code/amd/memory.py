"""Global memory as arrays at made-up addresses, and bytes read and written by lanes."""

import numpy as np


class BadAccess(Exception):
    pass


class Region:
    """Bytes at an address. Accesses that are not wholly inside are errors."""

    def __init__(self, name, start, data):
        self.name, self.start, self.data = name, start, data
        self.end = start + len(data)


class Memory:
    def __init__(self, start=0x5A12_3456_7000):
        self.regions = []
        # Above 2^32, so that the high halves of addresses matter, and far apart.
        self.next = start

    def add(self, name, data):
        """data: contiguous bytes, used as they are. The address is aligned to 16 bytes, no more."""
        address = self.next + 16
        self.next += (len(data) + 0x3_0000_FFFF) & ~0xFFF
        self.put(name, address, data)
        return address

    def put(self, name, address, data):
        self.regions.append(Region(name, address, data))

    def find(self, address, size):
        for region in self.regions:
            if region.start <= address and address + size <= region.end:
                return region
        near = min(self.regions, key=lambda r: min(abs(address - r.start), abs(address - r.end)))
        raise BadAccess(f"{size} bytes at {address:#x} are in no array; {near.name} is at "
                        f"{near.start:#x}..{near.end:#x}")

    def index(self, addresses, size):
        """For addresses of lanes: (region, index array [lanes, size]) for each region."""
        if not len(addresses):
            return
        low, high = int(addresses.min()), int(addresses.max())
        region = self.find(low, size)
        steps = np.arange(size)
        if high + size <= region.end:
            yield slice(None), region, (addresses - np.uint64(region.start)).astype(np.int64)[:, None] + steps
            return
        for lane, address in enumerate(addresses):
            region = self.find(int(address), size)
            yield slice(lane, lane + 1), region, np.array([[int(address) - region.start]]) + steps

    def read(self, addresses, size):
        """[lanes, size] bytes."""
        result = np.zeros((len(addresses), size), np.uint8)
        for lanes, region, where in self.index(addresses, size):
            result[lanes] = region.data[where]
        return result

    def write(self, addresses, data):
        for lanes, region, where in self.index(addresses, data.shape[1]):
            region.data[where] = data[lanes]


class Local:
    """The memory of a work-group. Accesses need no alignment, as AMD's driver sets it up."""

    def __init__(self, size):
        self.data = np.random.default_rng(5).integers(0, 256, size, np.uint8)

    def where(self, addresses, size):
        if len(addresses) and int(addresses.max()) + size > len(self.data):
            raise BadAccess(f"{size} bytes at {int(addresses.max()):#x} of {len(self.data)} of local memory")
        return addresses.astype(np.int64)[:, None] + np.arange(size)

    def read(self, addresses, size):
        return self.data[self.where(addresses, size)]

    def write(self, addresses, data):
        self.data[self.where(addresses, data.shape[1])] = data
