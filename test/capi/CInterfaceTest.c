//===- CInterfaceTest.c - Compiling, layouts and the simulator from C ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Prints what is not as it should be, and exits with 1 then.
//
//===--------------------------------------------------------------------------===//

#include "test/launch/Expect.h"
#include "tilewright-c/compile.h"
#include "tilewright-c/layout.h"
#include "tilewright-c/simulate.h"

#include <stdlib.h>

static const char kernels[] =
    "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
    "def add(x, y, out, n, B: tl.constexpr):\n"
    "    tl.static_print(\"block\", B)\n"
    "    i = tl.program_id(0) * B + tl.arange(0, B)\n"
    "    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)\n"
    "\n\n@triton.jit\n"
    "def helper(B: tl.constexpr):\n"
    "    return tl.arange(0, B)\n"
    "\n\n@triton.jit\n"
    "def bad(x, B: tl.constexpr):\n"
    "    tl.store(x + helper(B), 0)\n"
    "\n\n@triton.jit\n"
    "def outside(x, B: tl.constexpr):\n"
    "    tl.store(x + tl.arange(0, B), 1.0)\n"
    "\n\n@triton.jit\n"
    "def product(x, rows, out):\n"
    "    i = tl.arange(0, 32)\n"
    "    a = tl.load(x + tl.load(rows + i)[:, None] * 32 + i[None, :])\n"
    "    tl.store(out + i[:, None] * 32 + i[None, :], tl.dot(a, a))\n";

static TilewrightSource makeSource(void) {
  TilewrightSource source;
  source.name = "kernels.py";
  source.text = kernels;
  source.text_bytes = sizeof kernels - 1;
  source.language = TILEWRIGHT_PYTHON;
  return source;
}

static TilewrightCompilation *compile(TilewrightCompiler *compiler, const char *kernel,
                                      const char *signature, const char *target) {
  const TilewrightSource source = makeSource();
  TilewrightCompilation *compilation = NULL;
  TilewrightCompileOptions options;
  tilewright_init_options(&options);
  options.kernel = kernel;
  options.signature = signature;
  options.target = target;
  EXPECT(tilewright_compile(compiler, &source, &options, &compilation) == 0);
  return compilation;
}

static void testOutputs(TilewrightCompiler *compiler) {
  static const char signature[] = "*fp32:16, *fp32:16, *fp32:16, i32, 128";
  static const struct {
    const char *target, *suffix, *begin;
    int hasAssembly;
  } vendors[] = {{"cuda:90", ".ptx", "//", 0},
                 {"hip:gfx1201", ".hsaco", "\177ELF", 1},
                 {"xpu:bmg", ".spv", "\003\002#\007", 0}};
  for (size_t i = 0; i < sizeof vendors / sizeof *vendors; ++i) {
    TilewrightCompilation *compilation = compile(compiler, "add", signature, vendors[i].target);
    size_t bytes = 0;
    const char *code = tilewright_get_output(compilation, TILEWRIGHT_CODE, &bytes);
    EXPECT(code && bytes > 100);
    EXPECT(code && strncmp(code, vendors[i].begin, strlen(vendors[i].begin)) == 0);
    EXPECT(strcmp(tilewright_get_output(compilation, TILEWRIGHT_CODE_SUFFIX, NULL),
                  vendors[i].suffix) == 0);
    EXPECT(strcmp(tilewright_get_output(compilation, TILEWRIGHT_NAME, NULL), "add") == 0);
    EXPECT(strstr(tilewright_get_output(compilation, TILEWRIGHT_DESCRIPTION, NULL),
                  vendors[i].target) != NULL);
    EXPECT(strstr(tilewright_get_output(compilation, TILEWRIGHT_TTIR_TEXT, NULL), "tt.func"));
    EXPECT(strstr(tilewright_get_output(compilation, TILEWRIGHT_TTGIR_TEXT, NULL), "#blocked"));
    EXPECT(strstr(tilewright_get_output(compilation, TILEWRIGHT_LLIR, NULL), "define"));
    EXPECT((tilewright_get_output(compilation, TILEWRIGHT_ASSEMBLY, &bytes) != NULL) ==
           vendors[i].hasAssembly);
    EXPECT((bytes > 0) == vendors[i].hasAssembly);
    EXPECT(tilewright_get_output(compilation, (TilewrightOutput)99, &bytes) == NULL);
    EXPECT(!tilewright_is_cached(compilation));
    EXPECT(tilewright_get_input_count(compilation) >= 0);
    EXPECT_ERROR(tilewright_get_input(compilation, -1, NULL), "there is no input -1");

    /* What tl.static_print prints. */
    TilewrightDiagnostic note;
    EXPECT(tilewright_get_diagnostic_count(compilation) == 1);
    EXPECT(tilewright_get_diagnostic(compilation, 0, &note) == 0);
    EXPECT(note.severity == TILEWRIGHT_NOTE && note.line == 7 && note.column == 5);
    EXPECT(strcmp(note.message, "block of 128") != 0 && strstr(note.message, "128"));
    tilewright_destroy_compilation(compilation);
  }
}

/* What was not done by an instruction for whole tiles, and why. */
static void testRemarks(TilewrightCompiler *compiler) {
  TilewrightDiagnostic remark;
  TilewrightCompilation *compilation =
      compile(compiler, "product", "*fp16:64, *i32, *fp32:64", "xpu:pvc");
  EXPECT(tilewright_get_diagnostic_count(compilation) == 0);
  EXPECT(tilewright_get_remark_count(compilation) == 1);
  EXPECT_ERROR(tilewright_get_remark(compilation, 1, &remark), "there is no remark 1: 1 in all");
  EXPECT(tilewright_get_remark(compilation, 0, &remark) == 0);
  EXPECT(remark.severity == TILEWRIGHT_REMARK && !strcmp(remark.file, "kernels.py"));
  EXPECT(remark.line == 30 && remark.column == 9);
  EXPECT(strstr(remark.message, "the load is not done by 2D block messages: its addresses are"));
  EXPECT(strstr(remark.remedy, "use a tensor descriptor"));
  EXPECT(strstr(remark.source_line, "a = tl.load("));
  EXPECT(strstr(remark.rendered, "kernels.py:30:9: remark: the load is not"));
  tilewright_destroy_compilation(compilation);

  compilation = compile(compiler, "product", "*fp16:64, *i32, *fp32:64", "cuda:90");
  EXPECT(tilewright_get_remark_count(compilation) == 0);
  tilewright_destroy_compilation(compilation);
}

/* Options of launches, and a program that was compiled when there were none. */
static void testLaunchOptions(TilewrightCompiler *compiler) {
  const TilewrightSource source = makeSource();
  TilewrightCompilation *compilation = NULL;
  TilewrightCompileOptions options;
  tilewright_init_options(&options);
  options.kernel = "add";
  options.signature = "*fp32:16, *fp32:16, *fp32:16, i32, 128";
  options.maxnreg = 48;
  options.launch_cooperative_grid = 1;
  EXPECT(tilewright_compile(compiler, &source, &options, &compilation) == 0);
  EXPECT(strstr(tilewright_get_output(compilation, TILEWRIGHT_CODE, NULL), ".maxnreg 48") != NULL);
  EXPECT(strstr(tilewright_get_output(compilation, TILEWRIGHT_DESCRIPTION, NULL),
                "\"cooperative\": true") != NULL);
  tilewright_destroy_compilation(compilation);

  const size_t before = offsetof(TilewrightCompileOptions, maxnreg);
  tilewright_init_options_of_size(&options, before);
  options.kernel = "add";
  options.signature = "*fp32:16, *fp32:16, *fp32:16, i32, 128";
  options.maxnreg = 0; /* Not theirs to read. */
  EXPECT(tilewright_compile(compiler, &source, &options, &compilation) == 0);
  EXPECT(strstr(tilewright_get_output(compilation, TILEWRIGHT_CODE, NULL), ".maxnreg") == NULL);
  tilewright_destroy_compilation(compilation);

  tilewright_init_options(&options);
  options.kernel = "add";
  options.waves_per_eu = 2;
  EXPECT_ERROR(tilewright_compile(compiler, &source, &options, &compilation),
               "cuda:90 has no launch option waves_per_eu");
  tilewright_destroy_compilation(compilation);
}

static void testErrors(TilewrightCompiler *compiler) {
  TilewrightSource source = makeSource();
  TilewrightCompilation *compilation = NULL;
  TilewrightCompileOptions options;
  TilewrightDiagnostic error, note;
  tilewright_init_options(&options);
  options.kernel = "bad";
  options.signature = "*fp32, 100";
  EXPECT_ERROR(tilewright_compile(compiler, &source, &options, &compilation), "kernels.py:14:12");
  EXPECT(compilation != NULL);
  EXPECT(tilewright_get_output(compilation, TILEWRIGHT_CODE, NULL) == NULL);
  EXPECT(tilewright_get_output(compilation, TILEWRIGHT_NAME, NULL) == NULL);
  EXPECT(tilewright_get_diagnostic_count(compilation) == 1);
  EXPECT_ERROR(tilewright_get_diagnostic(compilation, 1, &error), "there is no diagnostic 1: 1 in");
  EXPECT(tilewright_get_diagnostic(compilation, 0, &error) == 0);
  EXPECT(error.severity == TILEWRIGHT_ERROR && error.line == 14 && error.column == 12);
  EXPECT(strcmp(error.file, "kernels.py") == 0 && error.length > 1);
  EXPECT(strstr(error.message, "power of 2") != NULL && error.remedy[0] != '\0');
  EXPECT(strcmp(error.source_line, "    return tl.arange(0, B)") == 0);
  EXPECT(strstr(error.rendered, "^~~~") != NULL && strstr(error.rendered, error.remedy) != NULL);
  /* The call that led there. */
  EXPECT(error.note_count == 1);
  EXPECT(tilewright_get_note(&error, 0, &note) == 0);
  EXPECT(note.severity == TILEWRIGHT_NOTE && note.line == 19 && note.column == 18);
  EXPECT(strstr(note.message, "in the call of 'helper'") != NULL);
  EXPECT_ERROR(tilewright_get_note(&error, 1, &note), "there is no note 1");
  tilewright_destroy_compilation(compilation);

  source.language = (TilewrightLanguage)7;
  EXPECT_ERROR(tilewright_compile(compiler, &source, &options, &compilation), "language 7");
  tilewright_destroy_compilation(compilation);
  source.language = TILEWRIGHT_TTGIR;
  EXPECT_ERROR(tilewright_compile(compiler, &source, &options, &compilation), "");
  tilewright_destroy_compilation(compilation);
  options.struct_bytes += 8;
  EXPECT_ERROR(tilewright_compile(compiler, &source, &options, &compilation),
               "no options of this library");
  EXPECT(compilation == NULL);
  tilewright_destroy_compilation(NULL);
  tilewright_destroy_compiler(NULL);
}

static void testLayouts(void) {
  static const char blocked[] = "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [4, 8], "
                                "warpsPerCTA = [2, 2], order = [1, 0]}>";
  static const char other[] = "#ttg.blocked<{sizePerThread = [2, 1], threadsPerWarp = [8, 4], "
                              "warpsPerCTA = [2, 2], order = [0, 1]}>";
  char *text = NULL;
  EXPECT(tilewright_describe_layout(blocked, "tensor<16x32xf16>", "bases", "json", &text) == 0);
  EXPECT(text && strstr(text, "\"bases\": {\"register\": [[0, 1]"));
  tilewright_free_text(text);
  EXPECT(tilewright_describe_layout(blocked, "tensor<16x32xf16>", "tensor", "svg", &text) == 0);
  EXPECT(text && strncmp(text, "<svg", 4) == 0);
  tilewright_free_text(text);
  EXPECT_ERROR(tilewright_describe_layout("#ttg.nonsense", "tensor<16xf16>", "hw", "json", &text),
               "layout:1:");
  EXPECT(text == NULL);
  EXPECT_ERROR(tilewright_describe_layout(blocked, "tensor<16x32xf16>", "side", "json", &text),
               "there is no view 'side'");
  EXPECT_ERROR(tilewright_describe_layout(blocked, NULL, "hw", "json", &text), "tensor:1:");

  EXPECT(tilewright_describe_conversion(blocked, other, "tensor<16x32xf16>", "cuda:90", "json",
                                        &text) == 0);
  EXPECT(text && strstr(text, "\"target\": \"cuda:90\"") && strstr(text, "\"plan\": {"));
  tilewright_free_text(text);
  EXPECT_ERROR(
      tilewright_describe_conversion(blocked, other, "tensor<16x32xf16>", "cuda:1", "json", &text),
      "name one of them with target");

  TilewrightBlockLoad load;
  memset(&load, 0, sizeof load);
  load.layout = "#ttg.dot_op<{opIdx = 0, parent = #ttig.dpas<{repeatCount = 8, systolicDepth = 8, "
                "executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, warpsPerCTA = [4, 2], "
                "repCluster = [1, 1]}>, kWidth = 1}>";
  load.tensor = "tensor<64x32xf16>";
  EXPECT(tilewright_describe_block_load(&load, "json", &text) == 0);
  EXPECT(text && text[0] == '{');
  tilewright_free_text(text);
  load.memory = "diagonal";
  EXPECT_ERROR(tilewright_describe_block_load(&load, "json", &text), "no memory 'diagonal'");
  tilewright_free_text(NULL);
}

/* The kernel `name` of one argument x, or of all four, on the simulator. */
static TilewrightSimulatedKernel *loadKernel(TilewrightCompiler *compiler,
                                             TilewrightSimulator *simulator, const char *name,
                                             const char *signature) {
  TilewrightCompilation *compilation = compile(compiler, name, signature, "hip:gfx1201");
  TilewrightSimulatedKernel *kernel = NULL;
  size_t bytes = 0;
  const char *llir = tilewright_get_output(compilation, TILEWRIGHT_LLIR, &bytes);
  EXPECT(tilewright_simulator_load(simulator,
                                   tilewright_get_output(compilation, TILEWRIGHT_DESCRIPTION, NULL),
                                   llir, bytes, &kernel) == 0);
  tilewright_destroy_compilation(compilation);
  return kernel;
}

static void testSimulator(TilewrightCompiler *compiler) {
  enum { n = 300 };
  float x[n], y[n], out[n];
  uint64_t address[3] = {0, 0, 0};
  TilewrightSimulator *simulator = NULL;
  for (int i = 0; i < n; ++i) {
    x[i] = (float)i;
    y[i] = 0.5f;
  }
  EXPECT(tilewright_create_simulator(1, &simulator) == 0);
  TilewrightSimulatedKernel *kernel =
      loadKernel(compiler, simulator, "add", "*fp32:16, *fp32:16, *fp32:16, i32, 128");
  for (int i = 0; i < 3; ++i)
    EXPECT(tilewright_simulator_allocate(simulator, sizeof x, "array", &address[i]) == 0);
  EXPECT(tilewright_simulator_copy_in(simulator, address[0], x, sizeof x) == 0);
  EXPECT(tilewright_simulator_copy_in(simulator, address[1], y, sizeof y) == 0);
  TilewrightValue values[4];
  for (int i = 0; i < 3; ++i)
    values[i] = tilewright_pointer(address[i]);
  values[3] = tilewright_integer(n);
  EXPECT(tilewright_simulator_run(kernel, 3, 1, 1, values, 4) == 0);
  EXPECT(tilewright_simulator_copy_out(simulator, out, address[2], sizeof out) == 0);
  for (int i = 0; i < n; ++i)
    EXPECT(out[i] == x[i] + y[i]);
  char *report = NULL;
  EXPECT(tilewright_simulator_report(simulator, &report) == 0);
  EXPECT(report && strstr(report, "blocks 3"));
  tilewright_free_text(report);
  EXPECT(tilewright_simulator_report_json(simulator, &report) == 0);
  EXPECT(report && strstr(report, "\"blocks\":3") && strstr(report, "\"loops\":[]"));
  tilewright_free_text(report);

  EXPECT_ERROR(tilewright_simulator_run(kernel, 3, 1, 1, values, 3), "argument");
  EXPECT_ERROR(tilewright_simulator_run(kernel, 0, 1, 1, values, 4), "grid");
  values[3] = tilewright_float(1.5);
  EXPECT_ERROR(tilewright_simulator_run(kernel, 3, 1, 1, values, 4), "'n' of type i32");
  values[3].kind = (TilewrightValueKind)9;
  EXPECT_ERROR(tilewright_simulator_run(kernel, 3, 1, 1, values, 4), "no kind of value 9");
  values[3] = tilewright_tensor(address[0], 0, NULL, NULL);
  EXPECT_ERROR(tilewright_simulator_run(kernel, 3, 1, 1, values, 4), "a tensor of 0 dimensions");
  EXPECT_ERROR(tilewright_simulator_free(simulator, 12345), "");
  EXPECT(tilewright_simulator_free(simulator, address[1]) == 0);

  /* What the simulator finds, with its place. */
  TilewrightSimulatedKernel *outside = loadKernel(compiler, simulator, "outside", "*fp32, 512");
  EXPECT_ERROR(tilewright_simulator_run(outside, 1, 1, 1, values, 1), "kernels.py:24");
  tilewright_simulator_unload(kernel);
  EXPECT_ERROR(tilewright_simulator_load(simulator, "{}", "", 0, &kernel), "the description");
  EXPECT(kernel == NULL);
  /* A kernel may be given back after its simulator. */
  tilewright_destroy_simulator(simulator);
  tilewright_simulator_unload(outside);
  tilewright_simulator_unload(NULL);
}

/* What was compiled goes to the launch functions in memory; no GPU is needed for this. */
static void testLaunching(TilewrightCompiler *compiler) {
  TilewrightCompilation *compilation = compile(compiler, "outside", "*fp32, 256", "cuda:90");
  TilewrightKernel *kernel = NULL;
  size_t bytes = 0;
  int value = 0;
  const char *code = tilewright_get_output(compilation, TILEWRIGHT_CODE, &bytes);
  EXPECT(tilewright_open_memory(tilewright_get_output(compilation, TILEWRIGHT_DESCRIPTION, NULL),
                                code, bytes, &kernel) == 0);
  tilewright_destroy_compilation(compilation);
  EXPECT(kernel && tilewright_get_argument_count(kernel) == 1);
  EXPECT(strcmp(tilewright_get_argument_type(kernel, 0), "*fp32") == 0);
  EXPECT(tilewright_get_attribute(kernel, TILEWRIGHT_THREADS_PER_BLOCK, &value) == 0);
  EXPECT(value == 128);
  EXPECT_ERROR(tilewright_launch(kernel, 1, 1, 1, NULL), "argument 'x' of 'outside' is not set");
  tilewright_close(kernel);
}

/* A compiler that has compiled the same before, and a new one: both find it. */
static void testCache(void) {
  TilewrightCompilation *first = NULL;
  for (int i = 0; i < 2; ++i) {
    TilewrightCompiler *compiler = NULL;
    EXPECT(tilewright_create_compiler(TILEWRIGHT_USER_CACHE, &compiler) == 0);
    tilewright_destroy_compilation(first);
    first = compile(compiler, "outside", "*fp32, 256", "cuda:90");
    TilewrightCompilation *again = compile(compiler, "outside", "*fp32, 256", "cuda:90");
    EXPECT(tilewright_is_cached(again));
    EXPECT(strcmp(tilewright_get_output(first, TILEWRIGHT_CODE, NULL),
                  tilewright_get_output(again, TILEWRIGHT_CODE, NULL)) == 0);
    tilewright_destroy_compilation(again);
    tilewright_destroy_compiler(compiler);
  }
  EXPECT(tilewright_is_cached(first));
  tilewright_destroy_compilation(first);
}

int main(void) {
  TilewrightCompiler *compiler = NULL;
  EXPECT(strcmp(tilewright_last_error(), "") == 0);
  EXPECT(tilewright_create_compiler(TILEWRIGHT_NO_CACHE, &compiler) == 0);
  testOutputs(compiler);
  testRemarks(compiler);
  testLaunchOptions(compiler);
  testErrors(compiler);
  testLayouts();
  testSimulator(compiler);
  testLaunching(compiler);
  testCache();
  tilewright_destroy_compiler(compiler);
  return reportFailures();
}
