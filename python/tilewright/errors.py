"""What goes wrong, as exceptions."""


class Error(Exception):
    """The base of all others."""


class CompileError(Error):
    """A kernel that cannot be compiled.

    `str()` of it is what the command line prints, caret included. `diagnostics` has all there is to
    say, each a dictionary; the attributes are those of the first error: `file`, `line` and `column`
    count from 1 and are 0 where they are not known.
    """

    def __init__(self, diagnostics):
        errors = [one for one in diagnostics if one["severity"] == "error"] or list(diagnostics)
        super().__init__("".join(one["text"] for one in errors).rstrip("\n"))
        self.diagnostics = list(diagnostics)
        first = errors[0] if errors else {}
        self.file = first.get("file", "")
        self.line = first.get("line", 0)
        self.column = first.get("column", 0)
        self.message = first.get("message", "")
        self.remedy = first.get("remedy", "")
        self.source_line = first.get("source_line", "")

    @property
    def error_message(self):
        """`message`, as Triton's CompilationError calls it."""
        return self.message

    @property
    def __cause__(self):
        """What it is raised because of; where nothing is set, an error with the `message` alone, which
        programs for Triton look for there."""
        return BaseException.__cause__.__get__(self) or (
            ValueError(self.message) if self.message else None)

    @__cause__.setter
    def __cause__(self, value):
        BaseException.__cause__.__set__(self, value)

    def __reduce__(self):
        return type(self), (self.diagnostics,)


class LaunchError(Error, RuntimeError):
    """A kernel that cannot be launched, or fails while it runs. Programs for Triton, where these are
    RuntimeErrors, catch it as one."""


class AutotunerError(Error, ValueError):
    """A tuner that has nothing to choose from."""


class WrongResult(Error):
    """A configuration of a kernel whose results are not those of the first one."""


class SimulationError(LaunchError):
    """What the simulator found in a kernel: an access outside of an array, a race, a deadlock.

    Has the attributes of CompileError.
    """

    def __init__(self, diagnostic):
        super().__init__(diagnostic["text"].rstrip("\n"))
        self.diagnostics = [diagnostic]
        self.file = diagnostic["file"]
        self.line = diagnostic["line"]
        self.column = diagnostic["column"]
        self.message = diagnostic["message"]
        self.remedy = diagnostic["remedy"]
        self.source_line = diagnostic["source_line"]

    def __reduce__(self):
        return type(self), tuple(self.diagnostics)
