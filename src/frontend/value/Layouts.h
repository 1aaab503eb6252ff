//===- Layouts.h - Encodings as Gluon's layouts ---------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A layout of Gluon's is an encoding: two layouts are equal where their encodings are. The names
// and fields are those of triton.experimental.gluon.language of Triton 3.6.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_VALUE_LAYOUTS_H
#define TILEWRIGHT_FRONTEND_VALUE_LAYOUTS_H

#include "frontend/value/Value.h"

#include <optional>
#include <string>

namespace tilewright::frontend {

/// A layout as the language writes it: `BlockedLayout(size_per_thread=[1], ..)`; for an encoding
/// that Gluon has no name for, as IR writes it.
std::string reprOfLayout(mlir::Attribute layout);

/// A field or property of a layout; nothing if it has none of the name.
std::optional<Value> layoutField(mlir::Attribute layout, llvm::StringRef name);

/// The names of a layout's fields, for errors: "size_per_thread, threads_per_warp, ..".
std::string layoutFields(mlir::Attribute layout);

/// Whether tensors in registers can have the layout: decided or still to be chosen.
bool isDistributedLayout(mlir::Attribute layout);
bool isSharedLayout(mlir::Attribute layout);
/// Whether hardware that copies blocks knows the layout: NVMMASharedLayout.
bool isHardwareLayout(mlir::Attribute layout);
bool isAutoLayout(mlir::Attribute layout);
/// The layout that follows from those of the uses.
mlir::Attribute autoLayoutOf(mlir::MLIRContext *context);
/// AutoLayout or CoalescedLayout.
bool isUndecidedLayout(mlir::Attribute layout);

/// What is different between the maps of two layouts of tensors of `shape`, bases of registers,
/// lanes, warps and blocks one by one: "register 0 is [1] and [0], ..". Empty where one has no map.
std::string differingBases(mlir::Attribute left, mlir::Attribute right,
                           llvm::ArrayRef<int64_t> shape);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_VALUE_LAYOUTS_H
