//===- compile.h - Compiling kernels, from C --------------------------*- C -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// From the text of a kernel to machine code, in memory, with diagnostics as data:
//
//     TilewrightCompiler *compiler;
//     TilewrightCompilation *compilation;
//     TilewrightCompileOptions options;
//     tilewright_init_options(&options);
//     options.signature = "*fp32:16, *fp32:16, *fp32:16, i32, 1024";
//     if (tilewright_create_compiler(TILEWRIGHT_NO_CACHE, &compiler) == 0) {
//       if (tilewright_compile(compiler, &source, &options, &compilation) == 0)
//         use(tilewright_get_output(compilation, TILEWRIGHT_CODE, &size), size);
//       tilewright_destroy_compilation(compilation);
//       tilewright_destroy_compiler(compiler);
//     }
//
// The functions are in libtilewright, which has those of the headers beside this one as well: a
// program links it, or libtilewright-launch, not both. Functions that return an int return 0 on
// success; else tilewright_last_error (launch.h) says what was wrong. Texts end with a null and are
// UTF-8. What is passed in is copied where it is needed for longer than the call.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_C_COMPILE_H
#define TILEWRIGHT_C_COMPILE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Compiles kernels. Any number of threads may use one at the same time.
typedef struct TilewrightCompiler TilewrightCompiler;

/// The outcome of a compilation. It never changes: any number of threads may read it. It may
/// outlive its compiler. Texts that it gives are valid as long as it is.
typedef struct TilewrightCompilation TilewrightCompilation;

typedef enum TilewrightCacheUse {
  TILEWRIGHT_NO_CACHE = 0,
  /// That of the user, shared with other programs; the environment says where it is
  /// (docs/cache.md), or that there is none.
  TILEWRIGHT_USER_CACHE = 1
} TilewrightCacheUse;

/// Makes a compiler, which is to be given back by tilewright_destroy_compiler. Errors: the cache's
/// folder cannot be used.
int tilewright_create_compiler(TilewrightCacheUse cache, TilewrightCompiler **compiler);
/// Nobody may be compiling with it. Null is allowed.
void tilewright_destroy_compiler(TilewrightCompiler *compiler);

//===----------------------------------------------------------------------------===//
// What to compile
//===----------------------------------------------------------------------------===//

typedef enum TilewrightLanguage {
  TILEWRIGHT_PYTHON = 0,
  TILEWRIGHT_TTIR = 1,
  TILEWRIGHT_TTGIR = 2
} TilewrightLanguage;

typedef struct TilewrightSource {
  /// The name that locations and errors give it; of a Python source also the path beside which the
  /// files lie that it imports.
  const char *name;
  /// The text and its bytes. It needs no null at its end.
  const char *text;
  size_t text_bytes;
  TilewrightLanguage language;
} TilewrightSource;

/// Members that are null, 0 or -1 leave a choice to the compiler, where the comment says so.
typedef struct TilewrightCompileOptions {
  /// The size of this struct, as tilewright_init_options sets it: members are only ever added.
  size_t struct_bytes;
  /// The kernel's name; null: the only one.
  const char *kernel;
  /// One entry a parameter, in order: a type with an optional divisibility ("*fp32:16", "i32"), or
  /// the value of a constexpr. Null for IR, which has its types.
  const char *signature;
  /// Such as "hip:gfx1201"; null: the default, or the target of the TTGIR.
  const char *target;
  /// Warps a block, lanes a warp, blocks of a program's cluster; 0: the default, or what TTGIR
  /// says.
  int num_warps, threads_per_warp, num_ctas;
  /// The most stages that loops are pipelined in; tilewright_init_options sets the default.
  int num_stages;
  /// Whether the parameters are addresses and numbers alone, without tensor maps; whether matrix
  /// products are SPIR-V's extensions; whether the kernel checks its assertions.
  int plain_launch, use_extensions, debug;
  /// Folders in which absolute imports are looked for; there are import_path_count.
  const char *const *import_paths;
  size_t import_path_count;
  /// If not null, a folder that gets the IR after every pass.
  const char *dump_passes_directory;
  /// Further options of Triton's launches (tilewright/CompileOptions.def); -1 is the
  /// compiler's to choose.
  int maxnreg, enable_fp_fusion, waves_per_eu, matrix_instr_nonkdim, kpack;
  int launch_cooperative_grid, launch_pdl, split_barriers;
  /// Whether loops are scheduled by a search for the shortest iterations, not by a list.
  int exact_schedules;
  /// Whether layouts are those that cost least of all, by a search.
  int exact_layouts;
  /// Whether only loops with warp_specialize get a warp for their copies, not others that are
  /// better so.
  int specialize_asked;
} TilewrightCompileOptions;

/// Sets the defaults.
#define tilewright_init_options(options)                                                           \
  tilewright_init_options_of_size(options, sizeof(TilewrightCompileOptions))
void tilewright_init_options_of_size(TilewrightCompileOptions *options, size_t struct_bytes);

/// Compiles one kernel. `*compilation` is to be given back by tilewright_destroy_compilation, also
/// where this fails: it has the diagnostics then, and tilewright_last_error the first error. It is
/// null only where the options are of a newer header than the library, or memory is out. A thread
/// needs a stack of 8 MiB.
int tilewright_compile(TilewrightCompiler *compiler, const TilewrightSource *source,
                       const TilewrightCompileOptions *options,
                       TilewrightCompilation **compilation);
/// Null is allowed.
void tilewright_destroy_compilation(TilewrightCompilation *compilation);

//===----------------------------------------------------------------------------===//
// What came of it
//===----------------------------------------------------------------------------===//

typedef enum TilewrightSeverity {
  TILEWRIGHT_ERROR = 0,
  TILEWRIGHT_WARNING = 1,
  TILEWRIGHT_NOTE = 2,
  TILEWRIGHT_REMARK = 3
} TilewrightSeverity;

/// Its texts belong to the compilation. None is null.
typedef struct TilewrightDiagnostic {
  TilewrightSeverity severity;
  /// Where: lines and columns (in bytes) count from 1, 0 is not known.
  const char *file;
  int line, column, length;
  /// The cause, the remedy (may be empty), the line of the source (may be empty). Options have the
  /// names of TilewrightCompileOptions' members.
  const char *message, *remedy, *source_line;
  /// All of it as it is shown to people, its notes included; several lines.
  const char *rendered;
  /// Further places that explain it: tilewright_get_note.
  int note_count;
  const void *internal;
} TilewrightDiagnostic;

/// Errors, and the warnings and notes of a compilation that went through.
int tilewright_get_diagnostic_count(const TilewrightCompilation *compilation);
/// Fails for an index that there is not; so do those below.
int tilewright_get_diagnostic(const TilewrightCompilation *compilation, int index,
                              TilewrightDiagnostic *diagnostic);
/// Remarks: how parts of a kernel that are right were compiled, where another way may be quicker,
/// with the reason and the remedy.
int tilewright_get_remark_count(const TilewrightCompilation *compilation);
int tilewright_get_remark(const TilewrightCompilation *compilation, int index,
                          TilewrightDiagnostic *remark);
int tilewright_get_note(const TilewrightDiagnostic *diagnostic, int index,
                        TilewrightDiagnostic *note);

typedef enum TilewrightOutput {
  /// The code that the driver loads: PTX, or the bytes of an HSACO or of SPIR-V.
  TILEWRIGHT_CODE = 0,
  /// The text of NAME.json: with the code, all that a launch needs (tilewright_open_memory).
  TILEWRIGHT_DESCRIPTION = 1,
  /// LLVM IR, which the simulator runs (simulate.h).
  TILEWRIGHT_LLIR = 2,
  /// The IR before and after layouts; none before where a TTGIR was compiled.
  TILEWRIGHT_TTIR_TEXT = 3,
  TILEWRIGHT_TTGIR_TEXT = 4,
  /// The assembly of code that is a binary file.
  TILEWRIGHT_ASSEMBLY = 5,
  /// The kernel's name, and the ending of the code's file, such as ".ptx".
  TILEWRIGHT_NAME = 6,
  TILEWRIGHT_CODE_SUFFIX = 7
} TilewrightOutput;

/// Its bytes, with a null after them; null if there were errors or there is no such output. Their
/// number goes to `*bytes`, which may be null.
const char *tilewright_get_output(const TilewrightCompilation *compilation, TilewrightOutput output,
                                  size_t *bytes);
/// Whether the result was found in the cache.
int tilewright_is_cached(const TilewrightCompilation *compilation);

/// A file besides the source on which the result depends. Its texts belong to the compilation.
typedef struct TilewrightInput {
  const char *path;
  /// The hash of its text, in hexadecimal; null if it was looked for and was not there.
  const char *sha256;
} TilewrightInput;

int tilewright_get_input_count(const TilewrightCompilation *compilation);
int tilewright_get_input(const TilewrightCompilation *compilation, int index,
                         TilewrightInput *input);

#ifdef __cplusplus
}
#endif

#endif // TILEWRIGHT_C_COMPILE_H
