//===- launch.c - A compiled kernel and what a GPU makes of it ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// How a program in C opens a kernel that `tilewright compile -o FOLDER` has left: prints its
// arguments and, where there is a GPU, the registers and the memory that it takes there.
//
//   tilewright-launch-info FOLDER NAME
//
//===--------------------------------------------------------------------------===//

#include "tilewright-c/launch.h"

#include <stdio.h>

static void print(TilewrightKernel *kernel, TilewrightAttribute attribute, const char *what) {
  int value;
  if (tilewright_get_attribute(kernel, attribute, &value) == 0)
    printf("%s: %d\n", what, value);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s FOLDER NAME\n", argv[0]);
    return 2;
  }
  TilewrightKernel *kernel;
  if (tilewright_open(argv[1], argv[2], &kernel)) {
    fprintf(stderr, "%s\n", tilewright_last_error());
    return 1;
  }
  for (int i = 0; i < tilewright_get_argument_count(kernel); ++i)
    printf("argument %d: %s of type %s\n", i, tilewright_get_argument_name(kernel, i),
           tilewright_get_argument_type(kernel, i));
  print(kernel, TILEWRIGHT_THREADS_PER_BLOCK, "threads of a block");
  print(kernel, TILEWRIGHT_DYNAMIC_SHARED_BYTES, "bytes of shared memory");
  if (tilewright_load(kernel, /*device=*/0)) {
    fprintf(stderr, "%s\n", tilewright_last_error());
  } else {
    print(kernel, TILEWRIGHT_REGISTERS, "registers of a thread");
    print(kernel, TILEWRIGHT_LOCAL_BYTES, "bytes of local memory of a thread");
  }
  tilewright_close(kernel);
  return 0;
}
