//===- Execution.h - A kernel, interpreted on an input ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VALIDATE_EXECUTION_H
#define TILEWRIGHT_VALIDATE_EXECUTION_H

#include "interpret/Interpreter.h"
#include "validate/Input.h"

namespace tilewright::validate {

/// The memory after a run; the buffers of the input's parameters come first, in their order.
struct Execution {
  interpret::GlobalMemory memory;
  interpret::Outcome outcome;
};

/// Runs the module's kernel. `sizes` has the bytes of each buffer; empty: buffers grow to what the
/// kernel accesses.
Execution execute(mlir::ModuleOp module, const Input &input, llvm::ArrayRef<size_t> sizes,
                  interpret::Variant variant, uint64_t maxWork);

/// The parameters of a launch, one word each: of a descriptor its address, sizes and strides.
std::vector<uint64_t> wordsOf(const Input &input);

/// The bytes of the buffers of the parameters of an input, after a run.
std::vector<size_t> sizesOf(const Execution &execution, const Input &input);

/// The place of a location in a source: "file:line:col", or empty.
std::string textOf(mlir::Location location);

} // namespace tilewright::validate

#endif // TILEWRIGHT_VALIDATE_EXECUTION_H
