from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union, overload
import os

from . import cluster as cluster, language as language, matrix as matrix, testing as testing
from .language import cdiv as cdiv, next_power_of_2 as next_power_of_2

__version__: str

Grid = Union[int, Sequence[int], Callable[[dict[str, Any]], Union[int, Sequence[int]]]]

class Error(Exception): ...

class CompileError(Error):
    diagnostics: list[dict[str, Any]]
    file: str
    line: int
    column: int
    message: str
    remedy: str
    source_line: str
    @property
    def error_message(self) -> str: ...
    def __init__(self, diagnostics: Iterable[dict[str, Any]]) -> None: ...

class LaunchError(Error, RuntimeError): ...

class WrongResult(Error): ...

class SimulationError(LaunchError):
    diagnostics: list[dict[str, Any]]
    file: str
    line: int
    column: int
    message: str
    remedy: str
    source_line: str
    def __init__(self, diagnostic: dict[str, Any]) -> None: ...

class Compiled:
    name: str
    metadata: Any
    metadata_json: str
    asm: dict[str, Union[str, bytes]]
    times: dict[str, float]
    is_cached: bool
    diagnostics: list[dict[str, Any]]
    remarks: list[dict[str, Any]]
    @property
    def shared(self) -> int: ...
    @property
    def num_warps(self) -> int: ...
    @property
    def n_regs(self) -> Optional[int]: ...
    @property
    def n_spills(self) -> Optional[int]: ...
    @property
    def n_max_threads(self) -> int: ...
    @property
    def num_ctas(self) -> int: ...
    @property
    def hash(self) -> str: ...
    def __getitem__(self, grid: Union[int, Sequence[int]]) -> Callable[..., None]: ...
    def write(self, folder: Union[str, os.PathLike[str]]) -> None: ...

class KernelInterface:
    def __getitem__(self, grid: Grid) -> Callable[..., Compiled]: ...
    def run(self, *args: Any, grid: Grid, warmup: bool = ..., **kwargs: Any) -> Compiled: ...

class JITFunction(KernelInterface):
    fn: Callable[..., Any]
    arg_names: list[str]
    params: list[Any]
    __name__: str
    def warmup(self, *args: Any, grid: Optional[Grid] = ..., **kwargs: Any) -> Compiled: ...
    def report(self, *args: Any, **kwargs: Any) -> Report: ...
    # In kernels a jitted function is called as any other.
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

@overload
def jit(fn: Callable[..., Any]) -> JITFunction: ...
@overload
def jit(*, do_not_specialize: Iterable[Union[str, int]] = ...,
        do_not_specialize_on_alignment: Iterable[Union[str, int]] = ...,
        debug: Optional[bool] = ..., noinline: bool = ..., version: Any = ..., repr: Any = ...,
        launch_metadata: Any = ...) -> Callable[[Callable[..., Any]], JITFunction]: ...
def constexpr_function(fn: Callable[..., Any]) -> Callable[..., Any]: ...

class Config:
    kwargs: dict[str, Any]
    num_warps: int
    num_stages: int
    num_ctas: int
    maxnreg: Optional[int]
    pre_hook: Optional[Callable[[dict[str, Any]], Any]]
    def __init__(self, kwargs: Mapping[str, Any], num_warps: int = ..., num_stages: int = ...,
                 num_ctas: int = ..., maxnreg: Optional[int] = ...,
                 pre_hook: Optional[Callable[[dict[str, Any]], Any]] = ...,
                 ir_override: None = ...) -> None: ...
    def all_kwargs(self) -> dict[str, Any]: ...

class Heuristics(KernelInterface):
    fn: Any
    arg_names: list[str]
    values: dict[str, Callable[[dict[str, Any]], Any]]

class Autotuner(KernelInterface):
    fn: Any
    arg_names: list[str]
    configs: list[Config]
    keys: list[str]
    cache: dict[Any, Config]
    best_config: Optional[Config]
    configs_timings: dict[Config, Any]
    failures: dict[Config, Exception]
    bench_time: Optional[float]
    def plan(self, *args: Any, grid: Grid, device: Optional[str] = ..., repeats: int = ...,
             timeout: float = ..., tolerance: Optional[float] = ..., exact: bool = ...,
             **kwargs: Any) -> cluster.Plan: ...

def autotune(configs: Sequence[Config], key: Sequence[str],
             prune_configs_by: Optional[Mapping[str, Any]] = ...,
             reset_to_zero: Optional[Sequence[str]] = ...,
             restore_value: Optional[Sequence[str]] = ...,
             pre_hook: Optional[Callable[..., Any]] = ...,
             post_hook: Optional[Callable[..., Any]] = ..., warmup: Optional[float] = ...,
             rep: Optional[float] = ..., use_cuda_graph: bool = ...,
             do_bench: Optional[Callable[..., Any]] = ...,
             cache_results: Optional[bool] = ..., check_results: Optional[bool] = ...
             ) -> Callable[[KernelInterface], Autotuner]: ...
def heuristics(values: Mapping[str, Callable[[dict[str, Any]], Any]]
               ) -> Callable[[KernelInterface], Heuristics]: ...

class TensorDescriptor:
    base: Any
    shape: list[int]
    strides: list[int]
    block_shape: list[int]
    padding: str
    def __init__(self, base: Any, shape: Sequence[int], strides: Sequence[int],
                 block_shape: Sequence[int], padding: str = ...) -> None: ...
    @classmethod
    def from_tensor(cls, tensor: Any, block_shape: Sequence[int],
                    padding: str = ...) -> TensorDescriptor: ...

class Source:
    text: str
    name: str
    language: str
    def __init__(self, text: str, name: str = ..., language: str = ...) -> None: ...
    @classmethod
    def read(cls, path: Union[str, os.PathLike[str]]) -> Source: ...

def compile(source: Union[str, os.PathLike[str], Source], *, kernel: str = ...,
            signature: str = ..., target: Optional[str] = ..., num_warps: Optional[int] = ...,
            num_stages: Optional[int] = ..., num_ctas: Optional[int] = ...,
            debug: bool = ..., **launch: Optional[int]) -> Compiled: ...

class Report:
    page: str
    @property
    def document(self) -> dict[str, Any]: ...
    def save(self, path: Union[str, os.PathLike[str]]) -> None: ...

def report(source: Union[str, os.PathLike[str], Source], *, kernel: str = ...,
           signature: str = ..., target: Optional[str] = ..., num_warps: Optional[int] = ...,
           num_stages: Optional[int] = ..., num_ctas: Optional[int] = ...,
           debug: bool = ..., **launch: Optional[int]) -> Report: ...

class Layout:
    attribute: str
    tensor: str
    def text(self, view: str = ...) -> str: ...
    def svg(self, view: str = ...) -> str: ...
    def json(self) -> str: ...
    def cute(self) -> str: ...

class Plan:
    def json(self) -> str: ...

def layout(attribute: str, tensor: str) -> Layout: ...
def convert(source: str, to: str, tensor: str, target: str = ...) -> Plan: ...
def blockload(attribute: str, tensor: str, memory: str = ..., access: str = ...,
              target: str = ...) -> Plan: ...
