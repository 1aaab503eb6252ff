from typing import Any, Callable, Optional, Sequence

def do_bench(fn: Callable[[], Any], warmup: float = ..., rep: float = ...,
             grad_to_none: Optional[Sequence[Any]] = ...,
             quantiles: Optional[Sequence[float]] = ..., return_mode: str = ...) -> Any: ...
def assert_close(x: Any, y: Any, atol: Optional[float] = ..., rtol: Optional[float] = ...,
                 err_msg: str = ...) -> None: ...
