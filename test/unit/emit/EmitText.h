//===- EmitText.h - Code of hand-written modules --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_UNIT_EMIT_EMITTEXT_H
#define TILEWRIGHT_TEST_UNIT_EMIT_EMITTEXT_H

#include "emit/Emit.h"

#include <string>

namespace tilewright::emit::test {

/// A kernel `scale` with the vendor's calling convention: x[0] = x[0] * a + b.
std::string scaleKernel(const std::string &callingConvention);

/// The result of emitCode for `target`, "cuda:90", and the text of a module.
Expected<EmittedCode> emitText(const char *target, const std::string &text,
                               const EmitOptions &options = {});

/// The same where it must not fail.
EmittedCode codeOf(const char *target, const std::string &text, const EmitOptions &options = {});

} // namespace tilewright::emit::test

#endif // TILEWRIGHT_TEST_UNIT_EMIT_EMITTEXT_H
