//===- Expect.h - Expectations of programs that use the launch library --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What does not hold is printed, with its line, and counted. For C and C++.
//
//===--------------------------------------------------------------------------===//

#ifndef TEST_LAUNCH_EXPECT_H
#define TEST_LAUNCH_EXPECT_H

#include "tilewright-c/launch.h"

#include <stdio.h>
#include <string.h>

static int failures = 0;

static inline void expect(int line, int holds, const char *what) {
  if (!holds) {
    printf("line %d: %s is false; last error \"%s\"\n", line, what, tilewright_last_error());
    ++failures;
  }
}
#define EXPECT(condition) expect(__LINE__, (condition) ? 1 : 0, #condition)

/* The call has failed, and the last error has the text. */
static inline void expectError(int line, int status, const char *text) {
  if (status == 0 || !strstr(tilewright_last_error(), text)) {
    printf("line %d: status %d, error \"%s\", wanted \"%s\"\n", line, status,
           tilewright_last_error(), text);
    ++failures;
  }
}
#define EXPECT_ERROR(status, text) expectError(__LINE__, status, text)

/* The exit status of the program. */
static inline int reportFailures(void) {
  printf("%d failures\n", failures);
  return failures != 0;
}

#endif // TEST_LAUNCH_EXPECT_H
