"""Calls of xFormers' operations."""

import torch


def index_select():
    from xformers.ops._triton import k_index_select_cat as module
    source, index = torch.randn(10, 100), torch.tensor([3, 1, 7])
    out = torch.empty(3, 100)
    module.index_select_cat_fwd(out, source, index)
    module.index_select_cat_bwd(torch.zeros(10, 100), index, out)


def scaled_index_add():
    from xformers.ops._triton import k_scaled_index_add as module
    x, index = torch.randn(10, 6, 64), torch.tensor([3, 1, 7])
    source, scaling = torch.randn(3, 6, 64), torch.randn(64)
    module.scaled_index_add_fwd(x, index, source, scaling, 0.5)
    module.scaled_index_add_bwd(x, torch.empty_like(source), torch.empty_like(source), source,
                                scaling, index, 0.5)
