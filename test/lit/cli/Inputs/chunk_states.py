import triton
import triton.language as tl


@triton.jit
def chunk_states(k, v, states, chunks, K: tl.constexpr, V: tl.constexpr, T: tl.constexpr):
    """The sum of k^T v over all chunks of T rows before each chunk."""
    rows, columns = tl.arange(0, K), tl.arange(0, V)
    times = tl.arange(0, T)
    state = tl.zeros([K, V], dtype=tl.float32)
    for chunk in range(chunks):
        at = chunk * T + times
        tl.store(states + chunk * K * V + rows[:, None] * V + columns[None, :], state)
        keys = tl.load(k + at[None, :] * K + rows[:, None])
        values = tl.load(v + at[:, None] * V + columns[None, :])
        state = tl.dot(keys, values, state)
