"""Compiling: of jitted functions, and of sources without Python behind them."""

import functools
import os

from .. import _host, _native
from .._hooks import LaunchMetadata, hooks
from .._options import DEFAULTS, CallOptions, native_options
from .._warn import warn
from ..errors import CompileError, Error, SimulationError
from . import arguments as _arguments


def _compiler():
    """The extension with LLVM inside, which is loaded when it is first needed."""
    from .. import _compiler as module
    return module


class _TargetName(str):
    """The name of a target, "cuda:90", with what Triton's targets have: `backend`, `arch`."""

    @property
    def backend(self):
        return self.partition(":")[0]

    @property
    def arch(self):
        """90 of "cuda:90", "gfx942" of "hip:gfx942"."""
        arch = self.partition(":")[2]
        return int(arch) if arch.isdigit() else arch

    @property
    def warp_size(self):
        return _native.threads_per_warp(self) or 32


class _Metadata:
    """What a compiled kernel is, by Triton's names and by those of NAME.json, and the options that it
    was compiled with."""

    #: Facts of launches of Triton's own, which these do not hand over.
    _OF_OTHERS = {"profile_scratch_size": 0, "profile_scratch_align": 1, "tensordesc_meta": None,
                  "triton_version": "3.6.0"}

    def __init__(self, description, options):
        self.__dict__.update({name: DEFAULTS[name] if value is None else value
                              for name, value in (options or CallOptions())._asdict().items()
                              if name not in _native.program_option_names})
        self.__dict__.update(description)
        self.num_ctas = description.get("num_ctas", 1)
        self.cluster_dims = (self.num_ctas, 1, 1)
        self.shared = description["shared_bytes"]
        self.warp_size = description["threads_per_warp"]
        self.target = _TargetName(description["target"])
        self.backend_name, _, self.arch = self.target.partition(":")
        if self.backend_name == "cuda":
            self.arch = f"sm{self.arch}"
        self.global_scratch_size = description.get("launch", {}).get("global_scratch_bytes", 0)

    def __getattr__(self, name):
        """Options of Triton's that were not given: what its back ends have for them then."""
        if name in self._OF_OTHERS:
            return self._OF_OTHERS[name]
        from . import backend_options
        option = backend_options.field_of(vars(self).get("backend_name"), name)
        if option is None:
            raise AttributeError(f"the metadata of a kernel has no '{name}'")
        return option.default

    def __repr__(self):
        return f"Metadata({self.__dict__})"


class _Stages(dict):
    """Texts and code by stage. Those that are there only where NVIDIA's programs make them, "cubin"
    and "sass", are made when they are asked for."""

    def __init__(self, stages, metadata):
        super().__init__(stages)
        self._metadata = metadata

    def __missing__(self, stage):
        if stage not in ("cubin", "sass") or "ptx" not in self:
            raise KeyError(stage)
        from . import machine_code
        if stage == "cubin":
            machine_code.check_launch(self._metadata)
        made = machine_code.assemble(self["ptx"])
        self[stage] = made if stage == "cubin" else machine_code.disassemble(made)
        return self[stage]


#: The device of a kernel that is for the GPU of the moment when it is first launched.
CURRENT_DEVICE = -2
#: That of one which runs on the simulator.
SIMULATED = -1


class Compiled:
    """A compiled kernel.

    `asm` has the stages: "ttir", "ttgir", "llir", and "ptx", "amdgcn" and "hsaco", or "spv".
    `n_regs` and `n_spills` (registers and spilled words of a thread) are known of a kernel on a GPU
    whose driver tells them, and None elsewhere; `shared` counts bytes of shared memory. `times` are
    milliseconds by stage; one that comes from the cache (`is_cached`) has the stage "cache" alone.
    `diagnostics` are the warnings, `remarks` say how parts of it were compiled where another way may
    be quicker: dictionaries with "message", "remedy", "file", "line", "column", "text" and others.

    compiled[grid](*arguments) launches it, with an argument for each parameter of its function and
    on the stream `stream` if that is given: nothing is specialized any more.
    """

    def __init__(self, outcome, name, pieces, device, src=None, options=None):
        import json
        self.metadata_json = outcome["metadata"]
        self.metadata = _Metadata(json.loads(self.metadata_json), options)
        self.metadata.hash = self._hash(outcome["code"])
        self.name = self.metadata.name
        self.times = outcome["times"]
        self.is_cached = outcome["is_cached"]
        self.diagnostics = outcome["diagnostics"]
        self.remarks = outcome["remarks"]
        self.asm = _Stages([(key, outcome[key]) for key in ("ttir", "ttgir", "llir")
                            if outcome[key]], self.metadata)
        suffix = outcome["code_suffix"][1:]
        self.asm[suffix] = outcome["code"].decode() if suffix == "ptx" else outcome["code"]
        if outcome["assembly"]:
            self.asm[outcome["assembly_suffix"][1:]] = outcome["assembly"]
        self._code_suffix = suffix
        self._source = (name, pieces or [])
        self._simulated = None
        self._gpu = None
        self._runner = None
        self._device = device
        #: What it was compiled of, with the function as `fn`; None for sources that are no function.
        self.src = src
        if device >= 0:
            self._load(device)

    def _load(self, device):
        code = self.asm[self._code_suffix]
        self._gpu = self._between_hooks(lambda: _native.GpuKernel(
            self.metadata_json, code.encode() if isinstance(code, str) else code, device))

    def _between_hooks(self, load):
        """What load() gives, between the hooks of loading."""
        files = {}
        if hooks.kernel_load_start_hook:
            hooks.kernel_load_start_hook(None, None, self.name, files, self.hash)
        loaded = load()
        if hooks.kernel_load_end_hook:
            hooks.kernel_load_end_hook(loaded, loaded, self.name, files, self.hash)
        return loaded

    def _init_handles(self):
        """Loads it: on the GPU of the moment, if it is for a GPU and there is one."""
        if self._runner is not None:
            return
        if self._device == CURRENT_DEVICE and self._gpu is None:
            device = _host.current_device()
            if device != SIMULATED:
                self._load(device)
        self._runner = _native.Runner(self._gpu, [
            (one["name"], None if one["type"] == "constexpr" else one["type"])
            for one in self.metadata.arguments
        ])

    @property
    def run(self):
        """What launches it: run(grid_0, grid_1, grid_2, stream, function, metadata,
        launch_metadata, enter_hook, exit_hook, *arguments)."""
        self._init_handles()
        launch = self._runner if self._gpu else functools.partial(_run_simulated, self)
        names = [one["name"] for one in self.metadata.arguments]
        return launch if all(name.isidentifier() for name in names) else functools.partial(
            _run_spread, launch, self._parameter_names(), names)

    def _parameter_names(self):
        function = getattr(self.src, "fn", None)
        if function is not None:
            return function.arg_names
        return list(dict.fromkeys(
            _arguments.root_of(one["name"]) for one in self.metadata.arguments))

    @property
    def function(self):
        """The kernel on its GPU; None where it is not loaded, and on the simulator."""
        return self._gpu

    module = function

    def launch_metadata(self, grid, stream, *arguments):
        """What the hooks of a launch are told; None without such a hook."""
        if not hooks.launch_enter_hook and not hooks.launch_exit_hook:
            return None
        return self._launch_metadata(grid, stream, dict(zip(self._parameter_names(), arguments)))

    def _launch_metadata(self, grid, stream, arguments):
        metadata = LaunchMetadata({"name": self.name, "function": self.function, "stream": stream})
        describe = getattr(getattr(self.src, "fn", None), "launch_metadata", None)
        if describe is not None:
            metadata.add(describe, (grid, self.metadata, arguments))
        return metadata

    def __getitem__(self, grid):
        self._init_handles()
        grid = tuple(grid) if isinstance(grid, (tuple, list)) else (grid,)
        grid += (1,) * (3 - len(grid))

        def launch(*arguments, stream=None):
            if stream is None:
                stream = _host.current_stream() if self._gpu else 0
            self.run(*grid, stream, self.function, self.metadata,
                     self.launch_metadata(grid, stream, *arguments), hooks.launch_enter_hook,
                     hooks.launch_exit_hook, *arguments)

        return launch

    @property
    def kernel(self):
        """The code that the driver gets."""
        return self.asm[self._code_suffix]

    @property
    def metadata_group(self):
        """The files that Triton keeps of it, by name: none is kept here."""
        return {}

    @property
    def hash(self):
        """Of what it is, in hexadecimal digits: the same for the same code."""
        return self.metadata.hash

    def _hash(self, code):
        import hashlib
        return hashlib.sha256(self.metadata_json.encode() + code).hexdigest()

    @property
    def shared(self):
        return self.metadata.shared_bytes

    @property
    def num_warps(self):
        return self.metadata.num_warps

    @property
    def n_regs(self):
        return self._gpu.n_regs if self._gpu else None

    @property
    def n_spills(self):
        if self._gpu is None:
            # The simulator's registers do not run out.
            return None if self._runner is None else 0
        spilled = self._gpu.local_bytes
        return None if spilled is None else spilled // 4

    @property
    def num_ctas(self):
        return self.metadata.num_ctas

    @property
    def cluster_dims(self):
        return self.metadata.cluster_dims

    @property
    def n_max_threads(self):
        return self.metadata.num_warps * self.metadata.threads_per_warp

    def write(self, folder):
        """Writes NAME.json and the stages into a folder, as `tilewright compile -o` does."""
        os.makedirs(folder, exist_ok=True)
        for suffix, contents in [("json", self.metadata_json), *self.asm.items()]:
            mode = "wb" if isinstance(contents, bytes) else "w"
            with open(os.path.join(folder, f"{self.name}.{suffix}"), mode) as file:
                file.write(contents)

    def _simulate(self, grid, words, arguments):
        if self._simulated is None:
            self._simulated = self._between_hooks(lambda: _compiler().SimulatedKernel(
                self.metadata_json, self.asm["llir"], *self._source))
        arrays = {}
        for argument in self.metadata.arguments:
            kind, name = argument["type"], argument["name"]
            if kind.startswith("tensordesc"):
                arrays[name] = _arguments.at(name, arguments).base
            elif kind.startswith("*"):
                arrays[name] = _arguments.at(name, arguments)
        error = self._simulated.launch(grid, words, _host.regions(arrays))
        if error is not None:
            raise SimulationError(error)

    def __repr__(self):
        return f"<Compiled {self.name} for {self.metadata.target}>"


def _run_spread(launch, parameters, names, *values):
    """Compiled.run of a kernel that takes tuples: their elements are arguments of its code."""
    before, arguments = values[:9], values[9:]
    if len(arguments) != len(parameters):
        raise TypeError(f"the kernel has {len(parameters)} parameters and got {len(arguments)} "
                        "arguments")
    given = dict(zip(parameters, arguments))
    return launch(*before, *(_arguments.at(name, given) for name in names))


def _run_simulated(compiled, x, y, z, stream, function, metadata, launch_metadata, enter, exit_,
                   *arguments):
    """Compiled.run of the simulator."""
    words = compiled._runner.words(*arguments)
    if 0 in (x, y, z):
        return
    if enter:
        enter(launch_metadata)
    names = [one["name"] for one in compiled.metadata.arguments]
    compiled._simulate((x, y, z), words, dict(zip(names, arguments)))
    if exit_:
        exit_(launch_metadata)


def outcome_of(name, text, language, pieces, options):
    """What the compiler makes of a source, by stage; CompileError where it makes nothing."""
    outcome = _native.compile(name, text, language, pieces, options)
    if "metadata" not in outcome:
        raise CompileError(outcome["diagnostics"])
    return outcome


def _run(name, text, language, pieces, options, device, src=None, call_options=None):
    outcome = outcome_of(name, text, language, pieces, options)
    return Compiled(outcome, name, pieces, device, src, call_options)


def describe(name, text, language, pieces, options):
    """The Report of a compilation."""
    outcome = _native.report(name, text, language, pieces, options)
    if "page" not in outcome:
        raise CompileError(outcome["diagnostics"])
    return Report(outcome["document"], outcome["page"])


class Report:
    """All stages of a compilation, linked line by line (docs/report.md). A notebook shows the page;
    `save(path)` writes it, and `document` has the data."""

    def __init__(self, document, page):
        self._document = document
        #: The page: one HTML file that needs no network.
        self.page = page

    @functools.cached_property
    def document(self):
        """The data, as docs/report.md describes them."""
        import json
        return json.loads(self._document)

    def save(self, path):
        """Writes the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.page)

    def _repr_html_(self):
        import html
        # The page has styles and scripts of its own, which a frame keeps from the notebook's.
        return (f'<iframe title="Tilewright report" srcdoc="{html.escape(self.page)}" '
                'style="width:100%;height:760px;border:1px solid #8884"></iframe>')

    def __repr__(self):
        kernel = self.document["kernel"]
        return f"<Report of {kernel['name']} for {kernel['target']}>"


def _report(compiled):
    """Says what the compiler has to say about a kernel that it compiled."""
    for diagnostic in compiled.diagnostics:
        # What tl.static_print prints is a note, with nothing to be done about it.
        if diagnostic["severity"] == "note" and not diagnostic["remedy"]:
            print(diagnostic["message"])
        else:
            warn(diagnostic["text"].rstrip("\n"))
    if hooks.compilation_listener:
        hooks.compilation_listener(compiled)
    return compiled


def name_of_key(key):
    """Request.name of a Request with this key."""
    return str(key[1:])


class Request:
    """What a call of a jitted function needs compiled: its source with the values of this moment,
    types and constants, options (a CallOptions), and the GPU (-1: the simulator); `src` is the
    result's."""

    def __init__(self, program, types, signature, options, device, src=None):
        self.program = program
        self.types = types
        self.signature = signature
        self.options = options
        self.device = device
        self.src = src

    @property
    def key(self):
        return (self.program.text, self.signature, *self.options, self.device)

    def with_options(self, **changed):
        """A Request of the function itself with other options."""
        return Request(self.program, self.types, self.signature, self.options._replace(**changed),
                       self.device, self.src)

    @property
    def native_options(self):
        """The compiler's struct of them."""
        return native_options(kernel=self.program.kernel, signature=self.signature,
                              **self.options._asdict())

    @property
    def name(self):
        """What hooks call it: all of `key` but the program's text."""
        return name_of_key(self.key)

    def run(self):
        """Compiles, and loads the kernel on its GPU. Any number of threads may do so at once."""
        program = self.program
        return _run(program.file, program.text, "py", program.pieces, self.native_options,
                    self.device, self.src, self.options)

    def compile(self):
        return _report(self.run())

    def report(self):
        """The compilation's Report."""
        program = self.program
        return describe(program.file, program.text, "py", program.pieces, self.native_options)


def count_cores():
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def compile_all(requests, on_done=lambda: None):
    """Compiles them on all cores: for each, in order, a Compiled, or the exception in its place.

    The threads are Python's; the GIL is free while they compile, and while the driver makes machine
    code of PTX.
    """
    from concurrent.futures import ThreadPoolExecutor, as_completed
    results = {}
    with ThreadPoolExecutor(max(1, min(len(requests), count_cores()))) as pool:
        futures = {pool.submit(request.run): key
                   for key, request in {one.key: one for one in requests}.items()}
        try:
            for future in as_completed(futures):
                error = future.exception()
                if error is not None and not isinstance(error, Error):
                    raise error
                results[futures[future]] = error or _report(future.result())
                on_done()
        finally:
            for future in futures:  # Those that have not begun when something is raised here.
                future.cancel()
    return [results[request.key] for request in requests]


class Source:
    """A text with kernels that is not Python's to run: of a file, or of a stage ("py", "ttir" or
    "ttgir")."""

    def __init__(self, text, name="<source>", language="py"):
        if language not in ("py", "ttir", "ttgir"):
            raise ValueError(f"a source is py, ttir or ttgir, not {language!r}")
        self.text = text
        self.name = name
        self.language = language

    @classmethod
    def read(cls, path):
        path = os.fspath(path)
        language = {".py": "py", ".ttir": "ttir", ".mlir": "ttir",
                    ".ttgir": "ttgir"}.get(os.path.splitext(path)[1])
        if language is None:
            raise ValueError(f"{path}: kernels come in files that end in .py, .ttir or .ttgir")
        with open(path, encoding="utf-8") as file:
            return cls(file.read(), path, language)


def _read(source, target, launch, **options):
    """A file or a Source as a Source, and the options of its compilation."""
    if not isinstance(source, Source):
        source = Source.read(source)
    if target is None and source.language != "ttgir":
        target = DEFAULTS["target"]
    for name in launch:
        if name not in _native.launch_option_names:
            raise TypeError(f"there is no launch option '{name}'")
    return source, native_options(target=target, **options, **launch)


def compile(source, *, kernel="", signature="", target=None, num_warps=None, num_stages=None,
            num_ctas=None, debug=False, device=SIMULATED, **launch):
    """Compiles a file (its path) or a Source, as the command `tilewright compile` does.

    `signature` lists every parameter: types with divisibility, values of constants; sources of IR
    have none. `launch` are further options of launches, such as maxnreg=128. The result is a
    Compiled, which runs on the simulator; with `device=CURRENT_DEVICE` on the GPU of its first
    launch, if there is one.
    """
    source, options = _read(source, target, launch, kernel=kernel, signature=signature,
                            num_warps=num_warps, num_stages=num_stages, num_ctas=num_ctas,
                            debug=debug)
    return _report(_run(source.name, source.text, source.language, None, options, device))


def report(source, *, kernel="", signature="", target=None, num_warps=None, num_stages=None,
           num_ctas=None, debug=False, **launch):
    """The Report of what `compile` with these arguments does."""
    source, options = _read(source, target, launch, kernel=kernel, signature=signature,
                            num_warps=num_warps, num_stages=num_stages, num_ctas=num_ctas,
                            debug=debug)
    return describe(source.name, source.text, source.language, None, options)
