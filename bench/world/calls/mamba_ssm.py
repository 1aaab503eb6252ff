"""Calls of mamba's operations: state-space duality of two sequences, forwards and backwards."""

import torch


def _random(*shape, dtype=torch.float32):
    return torch.randn(*shape, dtype=dtype).requires_grad_()


def _both(function, *arguments, **options):
    results = function(*arguments, **options)
    results = results if isinstance(results, tuple) else (results,)
    results = [one for one in results if isinstance(one, torch.Tensor) and one.requires_grad]
    torch.autograd.backward(results, [torch.randn_like(one) for one in results])


def chunk_scan():
    from mamba_ssm.ops.triton.ssd_combined import mamba_chunk_scan_combined
    _both(mamba_chunk_scan_combined, _random(2, 80, 4, 32), _random(2, 80, 4),
          (-torch.rand(4)).requires_grad_(), _random(2, 80, 2, 16), _random(2, 80, 2, 16), 64,
          D=_random(4), z=_random(2, 80, 4, 32), dt_bias=_random(4), dt_softplus=True)


def chunk_scan_sequences():
    from mamba_ssm.ops.triton.ssd_combined import mamba_chunk_scan_combined
    sequence = torch.cat([torch.zeros(30), torch.ones(50)]).int()[None]
    _both(mamba_chunk_scan_combined, _random(1, 80, 4, 32), _random(1, 80, 4),
          (-torch.rand(4)).requires_grad_(), _random(1, 80, 2, 16), _random(1, 80, 2, 16), 32,
          seq_idx=sequence, dt_softplus=True)


def chunk_pieces():
    from mamba_ssm.ops.triton import ssd_chunk_scan, ssd_chunk_state
    x, b, c = torch.randn(2, 64, 4, 32), torch.randn(2, 64, 2, 16), torch.randn(2, 64, 2, 16)
    dt, cumulative = torch.rand(2, 4, 2, 32), -torch.rand(2, 4, 2, 32).cumsum(-1)
    states = ssd_chunk_state._chunk_state_fwd(b, x, dt, cumulative)
    ssd_chunk_state._chunk_state_bwd_ddAcs_stable(b, x, dt, cumulative, torch.randn_like(states))
    products = torch.randn(2, 2, 2, 32, 32)
    out = torch.randn_like(x)
    ssd_chunk_scan._chunk_scan_bwd_dx(products, x, dt, cumulative, out)
    ssd_chunk_scan._chunk_scan_bwd_ddAcs_stable_old(x, dt, cumulative, out, products)


def state_varlen():
    from mamba_ssm.ops.triton.ssd_chunk_state import chunk_state_varlen
    chunk_state_varlen(torch.randn(64, 2, 16), torch.randn(64, 4, 32), torch.rand(4, 2, 32),
                       -torch.rand(4, 2, 32).cumsum(-1), torch.tensor([0, 20, 64]).int(),
                       torch.randn(2, 4, 32, 16))


def selective_update():
    from mamba_ssm.ops.triton.selective_state_update import selective_state_update
    selective_state_update(torch.randn(2, 4, 32, 16), torch.randn(2, 4, 32), torch.randn(2, 4, 32),
                           -torch.rand(4, 32, 16), torch.randn(2, 2, 16), torch.randn(2, 2, 16),
                           torch.randn(4, 32), torch.randn(2, 4, 32), torch.randn(4, 32), True)


def layer_norm():
    from mamba_ssm.ops.triton.layer_norm import layer_norm_fn
    _both(layer_norm_fn, _random(6, 100), _random(100), _random(100), residual=_random(6, 100),
          prenorm=True)


def gated_norm():
    from mamba_ssm.ops.triton.layernorm_gated import rmsnorm_fn
    _both(rmsnorm_fn, _random(6, 96), _random(96), None, z=_random(6, 96), group_size=48)


def swiglu():
    from mamba_ssm.ops.triton.k_activations import swiglu as function
    _both(function, _random(6, 128))
