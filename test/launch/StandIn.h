//===- StandIn.h - Tests with a library that stands in for a driver -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The library computes launches of saxpy(x, y, a, n) and keeps a log (Record.h).
//
//===--------------------------------------------------------------------------===//

#ifndef TEST_LAUNCH_STANDIN_H
#define TEST_LAUNCH_STANDIN_H

#include "test/launch/Expect.h"

#include <dlfcn.h>

static const char *(*takeLog)(void);

/* Opens the library, which has to be found by the driver's name as well. Null if it cannot. */
static inline void *openStandIn(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  if (library)
    *(void **)&takeLog = dlsym(library, "standInLog");
  return library;
}

/* The driver was called like this since the last time. */
static inline void expectLog(int line, const char *wanted) {
  const char *log = takeLog();
  if (strcmp(log, wanted) != 0) {
    printf("line %d: the driver was called so:\n%snot so:\n%s", line, log, wanted);
    ++failures;
  }
}
#define EXPECT_LOG(wanted) expectLog(__LINE__, wanted)

/* Of saxpy: three elements, a is 0.5. */
static inline void setArguments(TilewrightKernel *kernel, const float *x, float *y) {
  EXPECT(tilewright_set_pointer(kernel, 0, (uint64_t)(uintptr_t)x) == 0);
  EXPECT(tilewright_set_pointer(kernel, 1, (uint64_t)(uintptr_t)y) == 0);
  EXPECT(tilewright_set_float(kernel, 2, 0.5) == 0);
  EXPECT(tilewright_set_integer(kernel, 3, 3) == 0);
}

/* The description of saxpy for a target, with the divisors of x, y and n, the value of BLOCK, and
   more members of the object. */
#define SAXPY_WITH(target, pointers, length, block, shape)                                         \
  "{\"name\": \"saxpy\", \"target\": \"" target "\", " shape ", \"arguments\": ["                  \
  " {\"name\": \"x\", \"type\": \"*fp32\", \"divisibility\": " pointers "},"                       \
  " {\"name\": \"y\", \"type\": \"*fp32\", \"divisibility\": " pointers "},"                       \
  " {\"name\": \"a\", \"type\": \"fp32\"},"                                                        \
  " {\"name\": \"n\", \"type\": \"i32\", \"divisibility\": " length "},"                           \
  " {\"name\": \"BLOCK\", \"type\": \"constexpr\", \"value\": \"" block "\"}]}"

#endif // TEST_LAUNCH_STANDIN_H
