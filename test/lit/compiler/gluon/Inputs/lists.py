from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.constexpr_function
def warps_for(rows, count):
    warps = [4, 1]
    while warps[0] * warps[1] != count:
        if rows > 16 * warps[0]:
            warps[0] *= 2
        else:
            warps[-1] = warps[-1] * 2
    return warps


@gluon.constexpr_function
def shared():
    first = [1, 2]
    second = first
    second[0] = 3
    return first[0]


@gluon.constexpr_function
def changes(numbers):
    numbers[0] = 3
    return numbers


@gluon.constexpr_function
def beyond():
    numbers = [1, 2]
    numbers[2] = 3
    return numbers


@gluon.jit
def right():
    gl.static_assert(warps_for(256, 16) == [16, 1])
    gl.static_assert(warps_for(64, 16) == [4, 4])
    gl.static_assert(warps_for(128, 16) == [8, 2])


@gluon.jit
def aliases():
    gl.static_assert(shared() == 1)


@gluon.jit
def parameters():
    numbers: gl.constexpr = [1, 2]
    gl.static_assert(changes(numbers) == [3, 2])


@gluon.jit
def ends():
    gl.static_assert(beyond() == [1, 2])
