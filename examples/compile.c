//===- compile.c - A kernel compiled from C -----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// How a program in C compiles a kernel in memory: prints what the compiler says of it, and how much
// code it makes.
//
//   tilewright-compile-c FILE.py KERNEL SIGNATURE TARGET
//
//===--------------------------------------------------------------------------===//

#include "tilewright-c/compile.h"
#include "tilewright-c/launch.h"

#include <stdio.h>

int main(int argc, char **argv) {
  static char text[1 << 20];
  FILE *file = argc == 5 ? fopen(argv[1], "rb") : NULL;
  if (!file) {
    fprintf(stderr, "usage: %s FILE.py KERNEL SIGNATURE TARGET\n", argv[0]);
    return 2;
  }
  TilewrightSource source = {argv[1], text, fread(text, 1, sizeof text, file), TILEWRIGHT_PYTHON};
  fclose(file);

  TilewrightCompileOptions options;
  tilewright_init_options(&options);
  options.kernel = argv[2];
  options.signature = argv[3];
  options.target = argv[4];
  TilewrightCompiler *compiler;
  if (tilewright_create_compiler(TILEWRIGHT_USER_CACHE, &compiler)) {
    fprintf(stderr, "%s\n", tilewright_last_error());
    return 1;
  }
  TilewrightCompilation *compilation;
  int status = tilewright_compile(compiler, &source, &options, &compilation);
  TilewrightDiagnostic diagnostic;
  for (int i = 0; i < tilewright_get_diagnostic_count(compilation); ++i)
    if (tilewright_get_diagnostic(compilation, i, &diagnostic) == 0)
      fputs(diagnostic.rendered, stderr);
  size_t bytes;
  if (tilewright_get_output(compilation, TILEWRIGHT_CODE, &bytes))
    printf("%s%s: %zu bytes\n", tilewright_get_output(compilation, TILEWRIGHT_NAME, NULL),
           tilewright_get_output(compilation, TILEWRIGHT_CODE_SUFFIX, NULL), bytes);
  tilewright_destroy_compilation(compilation);
  tilewright_destroy_compiler(compiler);
  return status;
}
