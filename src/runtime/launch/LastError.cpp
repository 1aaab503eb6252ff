//===- LastError.cpp - Errors of the C interfaces -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/launch/LastError.h"

#include "tilewright-c/launch.h"

using namespace tilewright;

static thread_local std::string lastError;

int runtime::fail(const Diagnostic &error) {
  lastError = render(error);
  while (!lastError.empty() && lastError.back() == '\n')
    lastError.pop_back();
  return 1;
}

const char *tilewright_last_error(void) { return lastError.c_str(); }
