# Asynchronous code, which stands beside kernels in modules of servers.
async def f(x, *, y=1) -> int:
    await x
    z = await g(x)[0].h ** 2
    async for a in b:
        pass
    else:
        return await z
    async with c as d, e:
        -await x.y
    return [await x for x in y]


class C:
    @decorated
    @twice(1)
    async def m(self):
        async with lock: yield 1
