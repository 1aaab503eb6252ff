//===- Record.h - What libraries that stand in for drivers note ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Such a library records what it is told, and gives the log to the test that asks.
//
//===--------------------------------------------------------------------------===//

#ifndef TEST_LAUNCH_RECORD_H
#define TEST_LAUNCH_RECORD_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char text[65536];

static void record(const char *format, ...) {
  const size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + used, sizeof text - used, format, arguments);
  va_end(arguments);
}

/* What was called since the last time. */
const char *standInLog(void) {
  static char copy[sizeof text];
  memcpy(copy, text, sizeof text);
  text[0] = '\0';
  return copy;
}

#endif // TEST_LAUNCH_RECORD_H
