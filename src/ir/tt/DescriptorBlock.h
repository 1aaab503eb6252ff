//===- DescriptorBlock.h - Block types of tensor descriptors --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TT_DESCRIPTORBLOCK_H
#define TILEWRIGHT_IR_TT_DESCRIPTORBLOCK_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"

namespace tilewright::tt {

/// The block of a descriptor as tensors in registers and memory have it: only a descriptor says
/// whether integers have a sign.
mlir::RankedTensorType withoutSigns(mlir::RankedTensorType block);

/// Reads a block, `128x64xf16, #encoding` or `tensor<128x64xf16, #encoding>`, for the type that
/// errors call `name`; null after an error.
mlir::RankedTensorType parseBlock(mlir::AsmParser &parser, llvm::StringRef name);

} // namespace tilewright::tt

#endif // TILEWRIGHT_IR_TT_DESCRIPTORBLOCK_H
