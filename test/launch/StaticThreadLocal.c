//===- StaticThreadLocal.c - A library that scripts/check-thread-local refuses -===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

static __thread int calls __attribute__((tls_model("initial-exec")));

int countCalls(void) { return ++calls; }
