"""Calls of xFormers' operations."""

import torch

ROWS, COLUMNS = 10, 100
REAL = dict(ROWS=16384, COLUMNS=8192)


def index_select():
    from xformers.ops._triton import k_index_select_cat as module
    source, index = torch.randn(ROWS, COLUMNS), torch.randperm(ROWS)[:ROWS // 3]
    out = torch.empty(ROWS // 3, COLUMNS)
    module.index_select_cat_fwd(out, source, index)
    module.index_select_cat_bwd(torch.zeros(ROWS, COLUMNS), index, out)


def scaled_index_add():
    from xformers.ops._triton import k_scaled_index_add as module
    x, index = torch.randn(ROWS, 6, 64), torch.randperm(ROWS)[:ROWS // 3]
    source, scaling = torch.randn(ROWS // 3, 6, 64), torch.randn(64)
    module.scaled_index_add_fwd(x, index, source, scaling, 0.5)
    module.scaled_index_add_bwd(x, torch.empty_like(source), torch.empty_like(source), source,
                                scaling, index, 0.5)
