"""`tilewright.jit`: functions that become kernels."""

import collections.abc
import functools
import os
import re
import sys
import threading
import typing
import weakref

from .. import _native
from .._hooks import compilation_of, hooks
from .._options import CallOptions, pass_over
from ..errors import CompileError, LaunchError
from ..language import dtype
from ..program import values as _values
from . import arguments as _arguments, asynchronous as _asynchronous, compile as _compile


class KernelInterface:
    """What can be launched: kernel[grid](arguments)."""

    def run(self, *args, grid, warmup=False, **kwargs):
        raise NotImplementedError

    def __getitem__(self, grid):
        return functools.partial(self.run, grid=grid, warmup=False)


#: Of each thread: whether it compiles without a launch.
_calls = threading.local()

#: All of them, for what a fork has to mend.
_functions = weakref.WeakSet()

#: Attributes of jitted functions that make sense in their own process alone.
_OF_PROCESS = ("_lock", "_hash_lock", "_compiled", "_programs", "_program", "pre_run_hooks",
               "__wrapped__", "source_lines", "launch_metadata")


class _JitSource:
    """What a kernel was compiled of that a launch specialized."""

    def __init__(self, fn):
        self.fn = fn
        self.name = fn.__name__


class SpecializationProxy(typing.NamedTuple):
    """What `repr` of a jitted function is given: the values of its constants and the types of its
    parameters ("*fp32", "constexpr"), by their names."""
    constants: dict
    signature: dict


def _make_program(function, *args, **kwargs):
    """The source text of a kernel: see program.source.Program, which is loaded when a kernel is first
    compiled."""
    from ..program.source import Program
    return Program(function, *args, **kwargs)


def name_for(function, constants, signature):
    """What a specialization of a jitted function is called in the compiled code, as its `repr` has
    it. Errors: what that returns is no name."""
    name = function.repr(SpecializationProxy(constants, signature))
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
        raise ValueError(f"repr of the kernel '{function.__name__}' returned {name!r}, which cannot "
                         "be the name of a function: letters, digits and _ can")
    return name


class JITFunction(_native.Kernel, KernelInterface):
    """A function of Triton's language, compiled when it is first called with arguments of a kind.

    kernel[grid](*args, num_warps=.., num_stages=.., num_ctas=.., debug=.., target=.., maxnreg=..)
    launches it: `grid` is a tuple of one to three integers or a function of the dictionary of all
    arguments; `target` is for the simulator. docs/python.md has all options.
    """

    __getitem__ = _native.Kernel.__getitem__

    def __init__(self, fn, do_not_specialize=(), do_not_specialize_on_alignment=(), debug=None,
                 noinline=False, repr=None, launch_metadata=None):
        self.fn = fn
        self.__globals__ = fn.__globals__
        #: The values of globals are part of the program; Triton keeps them here.
        self.used_global_vals = {}
        self._repr = repr
        self.launch_metadata = launch_metadata
        self.pre_run_hooks = []
        self.noinline = bool(noinline)
        self.debug = debug
        self.do_not_specialize = do_not_specialize
        self.do_not_specialize_on_alignment = do_not_specialize_on_alignment
        self.module = fn.__module__
        self._fn_name = f"{fn.__module__}.{fn.__qualname__}"
        self.__name__ = fn.__name__
        self.__qualname__ = fn.__qualname__
        self.__module__ = fn.__module__
        self.__doc__ = fn.__doc__
        self.__wrapped__ = fn
        self.source_lines = _lines_of(fn)
        self._first_line = fn.__code__.co_firstlineno
        self._src = None
        self._lock = threading.RLock()
        self._compiled = {}
        self._programs = {}
        self._program = None
        self.params = _parameters(fn, do_not_specialize, do_not_specialize_on_alignment)
        self.arg_names = [parameter.name for parameter in self.params]
        self._configure(
            fn.__name__,
            [(parameter.name, parameter.default, parameter.is_constexpr,
              not parameter.do_not_specialize, not parameter.do_not_specialize_on_alignment,
              parameter.annotation_type or None)
             for parameter in self.params], Parameter.empty)
        _functions.add(self)

    def run(self, *args, grid, warmup=False, **kwargs):
        if warmup:
            return self.warmup(*args, **kwargs)
        return self[grid](*args, **kwargs)

    def warmup(self, *args, grid=None, **kwargs):
        """Compiles for these arguments and launches nothing. An element type (tl.float32,
        torch.float32) stands for an array of such elements that begins at a multiple of 16. In an
        AsyncCompileMode the result is a FutureKernel."""
        del grid
        mode = _asynchronous.active_mode.get()
        if mode is not None:
            return mode.submit_request(self, self.request(*args, **kwargs))
        _calls.is_warmup = True
        try:
            return self._warm(*args, **kwargs)
        finally:
            _calls.is_warmup = False

    @property
    def device_caches(self):
        """By the device: a list whose first element is what was compiled for it, by the key that hooks
        are told; clear() of it, or of all, forgets that."""
        return _Caches(self)

    def preload(self, specialization_data):
        """Compiles what a hook's `compile["specialization_data"]` describes."""
        import json
        data = json.loads(specialization_data)
        if data["name"] != self.__qualname__:
            raise RuntimeError(f"Specialization data is for {data['name']}, and the kernel is "
                               f"{self.__qualname__}")
        if data["signature"] is None:
            raise RuntimeError(f"a specialization of '{self.__name__}' with functions as arguments "
                               "cannot be loaded: launch it")
        self._refresh()
        with self._lock:
            program = self._program
            if data["kernel"] != self.__name__:
                program = _make_program(self, name=data["kernel"])
            options = CallOptions(**data["options"])
            request = _request_kind(options)(program, data["types"], data["signature"], options,
                                             data["device"], _JitSource(self))
            if request.key not in self._compiled:
                self._compiled[request.key] = request.compile()
            return self._compiled[request.key]

    def request(self, *args, grid=None, warmup=False, **kwargs):
        """What a call with these arguments needs compiled, for `compile_all`."""
        del grid, warmup
        with self._lock:
            return self._request(*self._describe(*args, **kwargs))

    def report(self, *args, **kwargs):
        """All stages of the compilation for these arguments, as for `warmup`: a Report, which a
        notebook shows and `save` writes."""
        return self.request(*args, **kwargs).report()

    def compile_all(self, requests, on_done=lambda: None):
        """Compiles what calls are going to need, on all cores: a Compiled for each, or the exception
        in its place."""
        with self._lock:
            missing = [one for one in requests if one.key not in self._compiled]
            for _ in range(len(requests) - len(missing)):
                on_done()
            found = dict(zip((one.key for one in missing),
                             _compile.compile_all(missing, on_done)))
            self._compiled.update((key, one) for key, one in found.items()
                                  if isinstance(one, _compile.Compiled))
            return [found.get(one.key) or self._compiled[one.key] for one in requests]

    def add_pre_run_hook(self, hook):
        """Has hook(*args, **kwargs) called with the arguments of each launch, before it."""
        if not callable(hook):
            raise TypeError(f"a hook is a function, not {hook!r}")
        self.pre_run_hooks.append(hook)
        self._set_pre_run(self._pre_run)

    def _pre_run(self, *args, **kwargs):
        for hook in self.pre_run_hooks:
            hook(*args, **kwargs)

    def _forget_compiled(self, is_meant):
        """Forgets what was compiled for the devices that a function of their number chooses."""
        with self._lock:
            for key in [key for key in self._compiled if is_meant(key[-1])]:
                del self._compiled[key]
            self._forget()

    def get_capture_scope(self):
        """The values of all names that the function can see from where it stands."""
        import inspect
        return {**self.__globals__, **inspect.getclosurevars(self.fn).nonlocals}

    @functools.cached_property
    def raw_src(self):
        """The lines of the function in its file, with its decorators. Libraries that make kernels
        out of kernels set it, and `starting_line_number`, to those of the original."""
        import inspect
        return inspect.getblock(self.source_lines[self._first_line - 1:])

    @functools.cached_property
    def starting_line_number(self):
        """The number of the first of these lines."""
        return self._first_line

    @property
    def src(self):
        """The text of the function, from its `def` on, without indentation."""
        if self._src is None:
            import textwrap
            text = textwrap.dedent("".join(self.raw_src))
            self._src = text[re.search(r"^def\s+\w+\s*\(", text, re.MULTILINE).start():]
        return self._src

    def _unsafe_update_src(self, src):
        """Makes the function another text, which begins with its `def`; Triton's tests do so."""
        with self._lock:
            self.source_lines = _with_text(self, src)
            self._src = src
            self._compiled.clear()
            self._forget()

    @functools.cached_property
    def signature(self):
        """The parameters as Python has them."""
        import inspect
        return inspect.signature(self.fn)

    @property
    def cache_key(self):
        """A hash of the program: of the function, what it calls, and the values it names."""
        import hashlib
        return hashlib.sha256(_make_program(self).text.encode()).hexdigest()

    def __reduce__(self):
        # What goes to another process describes the kernel; its function stays.
        state = {name: value for name, value in self.__dict__.items() if name not in _OF_PROCESS}
        return _described, (type(self), {**state, "_src": self.src, "fn": None,
                                         "__globals__": None, "_repr": None})

    def __call__(self, *args, **kwargs):
        raise TypeError(f"'{self.__name__}' is a kernel: call it with a grid, as in "
                        f"{self.__name__}[grid](..), or from another kernel")

    def __repr__(self):
        return f"JITFunction({self.__module__}:{self.__qualname__})"

    def repr(self, specialization):
        """What a specialization is called in the compiled code."""
        return self._repr(specialization) if self._repr else self.__name__

    # What the C++ part calls.

    def _refresh(self):
        """Reads the Python values that the source names, and says which program they make."""
        with self._lock:
            self._program = _make_program(self)
            number = self._programs.setdefault(self._program.text, len(self._programs))
            self._watch(self._program.watches, number)

    _pass_over = staticmethod(pass_over)

    def _specialize(self, types, values, options, device):
        """Compiles for these arguments: a type of each, or None and the value of a constant.
        `options` are those that the call gives, by their names."""
        with self._lock:
            request = self._request(types, values, options, device)
            mode = _asynchronous.active_mode.get()
            if mode is not None:
                mode.finish(self, request)
            compiled = self._compiled.get(request.key)
            if compiled is not None:
                return compiled
            if hooks.jit_cache_hook or hooks.jit_post_compile_hook:
                told = compilation_of(self, request, getattr(_calls, "is_warmup", False))
            if hooks.jit_cache_hook and hooks.jit_cache_hook(**told):
                raise LaunchError(f"'{self.__name__}' was not compiled: jit_cache_hook returned "
                                  "True, which says that it is not to be")
            compiled = self._compiled[request.key] = request.compile()
            if hooks.jit_post_compile_hook:
                hooks.jit_post_compile_hook(**told)
            return compiled

    def check(self):
        """Refuses parameters that are said to be a constant and not to be specialized."""
        for parameter in self.params:
            if parameter.is_constexpr and (parameter.do_not_specialize
                                           or parameter.do_not_specialize_on_alignment):
                raise CompileError([_error_of(
                    self, f"{parameter.name} marked as constexpr and listed in do_not_specialize",
                    "leave it out of the list: a constant is specialized by its value")])

    def _request(self, types, values, options, device):
        self.check()
        options = CallOptions(**options)
        functions = {
            parameter.name: value
            for parameter, type_, value in zip(self.params, types, values)
            if type_ is None and not _values.is_literal(value)
        }
        inner = [function for type_ in types for function in _arguments.functions_in(type_)]
        name = name_for(
            self, {one.name: value for one, type_, value in zip(self.params, types, values)
                   if type_ is None},
            {one.name: _without_hints(type_) for one, type_ in zip(self.params, types)})
        program = self._program
        if functions or inner or name != self.__name__:
            program = _make_program(self, functions, inner, name)
        entries = [
            "None" if parameter.name in functions else
            _arguments.text_of(type_, value, program.name_of)
            for parameter, type_, value in zip(self.params, types, values)
        ]
        signature = ", ".join(entries)
        # A tuple's type is its text, from here on.
        types = [type_ and entry for type_, entry in zip(types, entries)]
        debug = self.debug if options.debug is None else options.debug
        # As in Triton, the variable adds assertions whatever the program says.
        debug = bool(debug) or os.environ.get("TRITON_DEBUG") == "1"
        target = _target_of(device, options.target) if device >= 0 else options.target
        target = _overridden(target, options.arch)
        if options.enable_fp_fusion is None and not _environment_says("TRITON_DEFAULT_FP_FUSION"):
            options = options._replace(enable_fp_fusion=0)
        return _request_kind(options)(program, types, signature,
                                      options._replace(debug=debug, target=target), device,
                                      _JitSource(self))


def _request_kind(options):
    """The class of the Request of a call with these options."""
    if options.ir_override is None:
        return _compile.Request
    from .override import OverriddenRequest
    return OverriddenRequest


def _error_of(function, message, remedy):
    """A diagnostic at the beginning of a function."""
    file, line = function.fn.__code__.co_filename, function._first_line
    text = f"{file}:{line}:1: error: {message}\n  {remedy}\n"
    return {"severity": "error", "file": file, "line": line, "column": 1, "message": message,
            "remedy": remedy, "source_line": "", "text": text}


def _without_hints(type_):
    """A parameter's type as Triton's signatures have it; None stands for a constant."""
    return "constexpr" if type_ is None else re.sub(r":\d+$", "", str(type_))


def _environment_says(variable):
    """Whether a variable that is a truth value, and true unless it is set, holds."""
    return os.environ.get(variable, "1").lower() in ("1", "true", "yes", "on", "y")


def _overridden(target, arch):
    """The target that TRITON_OVERRIDE_ARCH names ("sm80", "gfx1201"), if it is set, else `arch`; this
    one where neither is."""
    named = os.environ.get("TRITON_OVERRIDE_ARCH") or arch
    if not named:
        return target
    number = re.fullmatch(r"(?:sm_?)?(\d+)a?", named)
    return f"cuda:{number[1]}" if number else f"hip:{named}"


def _target_of(device, asked):
    """The target of a GPU; `asked` is the one that the call names, or None."""
    target = _native.target_of(device)
    if target is None and asked is None:
        raise ValueError(f"{_native.name_of_gpu(device)} does not say which GPU it is: name a "
                         "target that it runs, such as target=\"xpu:bmg\"")
    if target is not None and asked is not None:
        raise ValueError("the arrays are on a GPU, which says the target itself: "
                         "leave `target` out")
    return target or asked


class _Caches:
    """See JITFunction.device_caches."""

    def __init__(self, function):
        self._function = function

    def __getitem__(self, device):
        return [_Cache(self._function, device)]

    def clear(self):
        self._function._forget_compiled(lambda device: True)


class _Cache(collections.abc.Mapping):
    """What a function was compiled to for a device, and for the simulator, by Request.name."""

    def __init__(self, function, device):
        self._function = function
        self._device = device

    def _found(self):
        with self._function._lock:
            return {_compile.name_of_key(key): compiled
                    for key, compiled in self._function._compiled.items() if self._has(key[-1])}

    def _has(self, device):
        return device < 0 or device == self._device

    def __getitem__(self, name):
        return self._found()[name]

    def __iter__(self):
        return iter(self._found())

    def __len__(self):
        return len(self._found())

    def clear(self):
        self._function._forget_compiled(self._has)


def _described(type_, state):
    """A jitted function of another process: what describes it, nothing to launch."""
    function = type_.__new__(type_)
    function.__dict__.update(state, _lock=threading.RLock(), _compiled={}, pre_run_hooks=[])
    return function


class Parameter:
    """A parameter of a jitted function."""

    class empty:
        """The default of a parameter that has none."""

    __slots__ = ("name", "default", "is_constexpr", "do_not_specialize",
                 "do_not_specialize_on_alignment", "num", "annotation_type", "is_const")
    def __init__(self, name, default, is_constexpr, unspecialized, unaligned, num,
                 annotation_type="", is_const=False):
        self.name = name
        self.default = default
        self.is_constexpr = is_constexpr
        self.do_not_specialize = unspecialized
        self.do_not_specialize_on_alignment = unaligned
        self.num = num
        #: The type that numbers are passed as: "fp16" of `x: tl.float16`. Empty for others.
        self.annotation_type = annotation_type
        #: Of `x: tl.const`: nothing is written through it.
        self.is_const = is_const

    def __repr__(self):
        return f"Parameter({self.name})"


def _signature_of(fn):
    """The names of the parameters, and by the name their defaults and annotations. A function that is
    to get another text may have those of the text as its __signature__."""
    if hasattr(fn, "__signature__"):
        parameters = fn.__signature__.parameters
        return (tuple(parameters),
                {name: one.default for name, one in parameters.items()
                 if one.default is not one.empty},
                {name: one.annotation for name, one in parameters.items()
                 if one.annotation is not one.empty})
    code = fn.__code__
    count = code.co_argcount + code.co_kwonlyargcount
    names = code.co_varnames[:count]
    defaults = dict(zip(names[code.co_argcount - len(fn.__defaults__ or ()):code.co_argcount],
                        fn.__defaults__ or ()))
    defaults.update(fn.__kwdefaults__ or {})
    return names, defaults, fn.__annotations__


def _parameters(fn, do_not_specialize, do_not_specialize_on_alignment):
    names, defaults, annotations = _signature_of(fn)

    def listed(index, name, which):
        return name in which or index in which

    return [
        Parameter(name, defaults.get(name, Parameter.empty),
                  _is_named(annotations.get(name), "constexpr"), listed(i, name, do_not_specialize),
                  listed(i, name, do_not_specialize_on_alignment), i,
                  _annotation_type(annotations.get(name)),
                  _is_named(annotations.get(name), "const"))
        for i, name in enumerate(names)
    ]


def _is_named(annotation, name):
    """Whether an annotation is the language's of that name."""
    if isinstance(annotation, str):
        return annotation == name or annotation.endswith("." + name)
    return getattr(annotation, "__name__", "") == name


def _annotation_type(annotation):
    """The name in signatures of an element type of the language; empty for all else."""
    if isinstance(annotation, str) and annotation == "tl.uint1":
        # Triton knows it in annotations alone.
        return "i1"
    if isinstance(annotation, str) and annotation.startswith("tl."):
        annotation = getattr(sys.modules["tilewright.language"], annotation[3:], None)
    return annotation.name if isinstance(annotation, dtype) else ""


def _lines_of(fn):
    """The lines of the file, notebook cell or text that the function stands in, as they are now."""
    import linecache
    file = fn.__code__.co_filename
    linecache.checkcache(file)
    return linecache.getlines(file, fn.__globals__)


def jit(fn=None, *, do_not_specialize=(), do_not_specialize_on_alignment=(), debug=None,
        noinline=False, version=None, repr=None, launch_metadata=None, kind=JITFunction):
    """Makes a function a kernel, or a function that kernels call. `launch_metadata` is a function
    of the grid, the compiled kernel's metadata and the arguments, which gives hooks of launches a
    dictionary. `repr` is a function of a SpecializationProxy: the name of the compiled kernel, for
    profilers. `version` is Triton's, and changes nothing. `kind` is the class of the result."""
    del version

    def decorate(function):
        if isinstance(function, JITFunction):
            return function
        if not hasattr(function, "__code__"):
            raise TypeError(f"only a function can be jitted, not {function!r}")
        return kind(function, do_not_specialize, do_not_specialize_on_alignment, debug, noinline, repr,
                    launch_metadata)

    return decorate if fn is None else decorate(fn)


def _with_text(function, src):
    """The lines of its file with another text of the function, where its `def` stands; without
    indentation, which the decorators before it have as well."""
    import textwrap
    lines, first = function.source_lines, function._first_line - 1
    begin = next((i for i in range(first, len(lines)) if re.match(r"\s*def\b", lines[i])), None)
    # A function of `exec` has no lines.
    before = ["\n"] * first if begin is None else lines[:first] + textwrap.dedent(
        "".join(lines[first:begin])).splitlines(keepends=True)
    return before + src.splitlines(keepends=True)


class ConstexprFunction:
    """A function that runs while a kernel is compiled, and on the host."""

    #: By this the source text of programs knows them.
    is_constexpr_function = True

    # Those of JITFunction work on what both have.
    src = JITFunction.src
    raw_src = JITFunction.raw_src
    starting_line_number = JITFunction.starting_line_number

    def __init__(self, fn):
        self.fn = fn
        self.source_lines = _lines_of(fn)
        self._first_line = fn.__code__.co_firstlineno
        self._src = None
        functools.update_wrapper(self, fn)

    def __get__(self, instance, owner):
        return self if instance is None else functools.partial(self.fn, instance)

    def __call__(self, *args, **kwargs):
        return self.fn(*args, **kwargs)

    def _unsafe_update_src(self, src):
        """See JITFunction._unsafe_update_src."""
        self.source_lines = _with_text(self, src)
        self._src = src

    @property
    def cache_key(self):
        """A hash of the function with all that it names. RuntimeError if it names what is not known
        while a kernel is compiled."""
        import hashlib
        program = _make_program(self)
        unknown = _unknown_modules(self.fn)
        if unknown:
            raise RuntimeError(f"'{self.__name__}' is no function of constants: it names the module "
                               f"{unknown}, which is not known while a kernel is compiled")
        return hashlib.sha256(program.text.encode()).hexdigest()


#: Modules whose functions the compiler knows, or whose values it reads.
_KNOWN_MODULES = ("math", "triton", "tilewright", "builtins", "typing", "functools", "operator")


def _unknown_modules(fn):
    """The first module, of those that a function names, whose functions cannot be compiled."""
    for name in fn.__code__.co_names:
        value = fn.__globals__.get(name)
        if isinstance(value, type(sys)) and value.__name__.split(".")[0] not in _KNOWN_MODULES:
            return value.__name__
    return None


def constexpr_function(fn):
    """A function of constants: kernels call it while they are compiled."""
    return ConstexprFunction(fn)


def _after_fork():
    # A lock that another thread held stays held in the child.
    for function in list(_functions):
        function._lock = threading.RLock()


os.register_at_fork(after_in_child=_after_fork)

__all__ = ["JITFunction", "KernelInterface", "Parameter", "constexpr_function",
           "jit"]
