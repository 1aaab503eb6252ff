"""triton.runtime.cache: files that programs keep by a key. Compiled kernels are elsewhere
(docs/cache.md)."""

import abc
import json
import os
import tempfile

from . import _knobs


def _root():
    """The folder of all keys: that of triton.knobs, which TRITON_CACHE_DIR sets."""
    return _knobs.cache.dir


class CacheManager(abc.ABC):
    """What programs derive their own from."""

    def __init__(self, key, override=False, dump=False):
        self.key = key

    @abc.abstractmethod
    def get_file(self, filename):
        """The path of the file; None if there is none."""

    @abc.abstractmethod
    def put(self, data, filename, binary=True):
        """Writes the file; its path."""

    @abc.abstractmethod
    def get_group(self, filename):
        """The paths of the group's files by name; None if there is no such group."""

    @abc.abstractmethod
    def put_group(self, filename, group):
        """Keeps paths by name as a group; the path of its list."""


class FileCacheManager(CacheManager):
    """The files of one key, in a folder named by it. A file is there whole or not at all."""

    def __init__(self, key, override=False, dump=False):
        super().__init__(key)
        if override or dump:
            raise NotImplementedError("folders for overriding and dumping are not in "
                                      "tilewright.triton: compiled.write(folder) writes a kernel")
        self.cache_dir = os.path.join(_root(), key)
        self.lock_path = os.path.join(self.cache_dir, "lock")
        os.makedirs(self.cache_dir, exist_ok=True)

    def _make_path(self, filename):
        return os.path.join(self.cache_dir, filename)

    def has_file(self, filename):
        return os.path.exists(self._make_path(filename))

    def get_file(self, filename):
        return self._make_path(filename) if self.has_file(filename) else None

    def put(self, data, filename, binary=True):
        if not isinstance(data, bytes):
            data = str(data).encode()
        path = self._make_path(filename)
        partial, partial_path = tempfile.mkstemp(dir=self.cache_dir, suffix=".partial")
        try:
            with os.fdopen(partial, "wb") as file:
                file.write(data)
            os.replace(partial_path, path)
        except BaseException:
            os.unlink(partial_path)
            raise
        return path

    @staticmethod
    def _group_name(filename):
        return f"__grp__{filename}"

    def get_group(self, filename):
        path = self.get_file(self._group_name(filename))
        if path is None:
            return None
        with open(path, encoding="utf-8") as file:
            listed = json.load(file).get("child_paths", {})
        return {name: child for name, child in listed.items() if os.path.exists(child)}

    def put_group(self, filename, group):
        return self.put(json.dumps({"child_paths": group}), self._group_name(filename))


def get_cache_manager(key):
    """The files of a key, a text of which a folder can be named."""
    return (_knobs.cache.manager_class or FileCacheManager)(key)


def get_cache_invalidating_env_vars():
    """The environment variables that are set and change what kernels are compiled to."""
    names = ("TRITON_DEBUG", "TRITON_F32_DEFAULT")
    return {name: os.environ[name] for name in names if name in os.environ}
