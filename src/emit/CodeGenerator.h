//===- CodeGenerator.h - LLVM's code generation pipeline ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_CODEGENERATOR_H
#define TILEWRIGHT_EMIT_CODEGENERATOR_H

#include "emit/Backend.h"

namespace tilewright::emit {

/// Returns the output of the code generator of `input.machine` for `module`, with the passes of
/// `backend`. After a fatal failure nothing that it has used is to be destroyed: see
/// BackendFailure::isFatal.
std::optional<BackendFailure> generateCode(OwnedModule &module, const StepInput &input,
                                           const Backend &backend, std::string &code);

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_CODEGENERATOR_H
