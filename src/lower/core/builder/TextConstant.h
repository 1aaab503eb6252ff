//===- TextConstant.h - String constants of kernels -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_BUILDER_TEXTCONSTANT_H
#define TILEWRIGHT_LOWER_CORE_BUILDER_TEXTCONSTANT_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace tilewright::lower {

/// A pointer to the text as C has it, in this address space, which must be the same for all texts
/// of a module. Equal texts are one variable.
mlir::Value getText(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef text,
                    unsigned addressSpace);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_BUILDER_TEXTCONSTANT_H
