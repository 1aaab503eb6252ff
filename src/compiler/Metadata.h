//===- Metadata.h - Kernel descriptions from IR ---------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_COMPILER_METADATA_H
#define TILEWRIGHT_COMPILER_METADATA_H

#include "tilewright/Kernel.h"

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::compiler {

/// Fills in the name and the arguments of a module's kernel: its only public tt.func. Arguments
/// are named by their locations, or arg0, arg1, ..
/// False, and an error at the kernel, where an argument cannot be passed.
bool describeKernel(mlir::ModuleOp module, KernelMetadata &metadata);

/// Adds the tensor maps that the launch makes (tt::tensorMapsAttrName). False, and an error, where
/// the attribute says it in no form that is known.
bool describeTensorMaps(mlir::ModuleOp module, KernelMetadata &metadata);

} // namespace tilewright::compiler

#endif // TILEWRIGHT_COMPILER_METADATA_H
