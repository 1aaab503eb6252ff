import os
from typing import Any, Callable, Optional, Union

class Plan:
    json: dict[str, Any]
    files: dict[str, bytes]
    compiler: Optional[str]
    @property
    def configurations(self) -> list[str]: ...
    @classmethod
    def read(cls, path: Union[str, os.PathLike[str]]) -> Plan: ...
    def write(self, path: Union[str, os.PathLike[str]]) -> None: ...

class Result:
    device: str
    configurations: list[str]
    trials: list[Optional[dict[str, Any]]]
    is_kept: bool
    @property
    def is_complete(self) -> bool: ...
    @property
    def best(self) -> Optional[int]: ...
    def save(self) -> None: ...

def tune(plan: Union[Plan, str, os.PathLike[str]], client: Any, *, again: bool = ...,
         patience: float = ..., progress: Optional[Callable[[str, int, int], Any]] = ...
         ) -> dict[str, Result]: ...
