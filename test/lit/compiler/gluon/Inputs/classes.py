from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.language.core import _aggregate as aggregate


@aggregate
class Tile:
    offs: gl.tensor
    SIZE: gl.constexpr

    def __init__(self, offs, SIZE):
        self.offs = offs
        self.SIZE = gl.constexpr(SIZE)

    @gluon.jit
    def create(SIZE: gl.constexpr):
        layout: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
        return Tile(gl.arange(0, SIZE, layout=layout), SIZE)

    @gluon.jit
    def next(self):
        return Tile(self.offs + self.SIZE, self.SIZE)


@gluon.jit
def squares(y, steps, Kind: gl.constexpr, SIZE: gl.constexpr):
    tile = Kind.create(SIZE)
    for step in range(steps):
        gl.store(y + tile.offs, (tile.offs * tile.offs).to(gl.float32))
        tile = tile.next()
