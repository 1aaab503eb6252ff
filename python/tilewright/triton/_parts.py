"""Classes of Triton's own compiler that programs name, of which only the names are here: an instance
of one is refused."""

from .. import errors
from . import _compiler


def _refused(name, instead):
    def refuse(self, *args, **kwargs):
        raise NotImplementedError(f"{name} is a part of Triton's own compiler, and not in "
                                  f"tilewright.triton: {instead}")

    return type(name.rpartition(".")[2], (), {"__init__": refuse, "__doc__": f"{name}, which is refused."})


_COMPILE = "triton.compile(triton.compiler.ASTSource(..)) compiles a kernel without a launch"

CodeGenerator = _refused("triton.compiler.code_generator.CodeGenerator", _COMPILE)
TritonSemantic = _refused("triton.language.semantic.TritonSemantic",
                          "the functions of triton.language do what it does")
GridExecutor = _refused("triton.runtime.interpreter.GridExecutor",
                        "TRITON_INTERPRET=1 runs the kernels of a program on the simulator")


class IncompatibleTypeErrorImpl(Exception):
    """Of Triton's own rules for types: ours are CompilationErrors, so it is never raised."""


def ast_to_ttir(fn, src, context=None, options=None, codegen_fns=None, module_map=None, module=None):
    """The first stage that an ASTSource of the function makes."""
    del module
    if fn is not src.fn:
        raise ValueError(f"the source is of {src.name}, and not of {fn.__name__}")
    return src.make_ir(None, options, codegen_fns, module_map, context)


CODE_GENERATOR = {
    "CodeGenerator": CodeGenerator, "ast_to_ttir": ast_to_ttir,
    "CompilationError": errors.CompileError, "CompileTimeAssertionFailure": errors.CompileError,
    "UnsupportedLanguageConstruct": errors.CompileError,
    "ASTSource": _compiler.ASTSource,
}
SEMANTIC = {"TritonSemantic": TritonSemantic, "IncompatibleTypeErrorImpl": IncompatibleTypeErrorImpl}
