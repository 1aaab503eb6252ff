//===- Metadata.h - A kernel's description from its IR --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_DRIVER_METADATA_H
#define TILEWRIGHT_DRIVER_METADATA_H

#include "tilewright/Compiler.h"

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::driver {

/// Fills in the name and the arguments of the kernel (a public tt.func) called `name`, or of
/// the only one. Arguments are named by their locations, or arg0, arg1, ..
/// False, and an error, where there is no such kernel or an argument cannot be passed.
bool describeKernel(mlir::ModuleOp module, const std::string &name, const Source &source,
                    KernelMetadata &metadata, std::vector<Diagnostic> &diagnostics);

} // namespace tilewright::driver

#endif // TILEWRIGHT_DRIVER_METADATA_H
