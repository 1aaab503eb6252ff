//===- DescriptorArguments.h - Tensor descriptors that kernels take -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TT_DESCRIPTORARGUMENTS_H
#define TILEWRIGHT_IR_TT_DESCRIPTORARGUMENTS_H

#include "ir/tt/Dialect.h"

namespace tilewright::tt {

/// The multiple of bytes at which the tensor of a kernel's descriptor argument begins, and each of
/// its rows.
inline constexpr int64_t descriptorAlignment = 16;

/// The attribute of a module that says how the launch makes the tensor maps that a kernel takes as
/// its last arguments: an array with a dictionary for each, of the fields of TensorMapRecipe
/// (tilewright/Kernel.h). A value is array<i64: factor, parameters..>.
inline constexpr llvm::StringLiteral tensorMapsAttrName = "ttg.tensor_maps";

/// The bytes of a tensor map as a parameter that is passed by value.
inline constexpr unsigned tensorMapBytes = 128, tensorMapAlignment = 64;

/// The attribute of a descriptor argument whose tensor has NaN outside of it, not 0: a unit.
inline constexpr llvm::StringLiteral padsNanAttrName = "tw.pads_nan";

/// How many arguments of a kernel are those of its source: without the tensor maps.
unsigned getSourceArgumentCount(FuncOp kernel);

/// A tensor descriptor among the arguments of a kernel. In Triton's IR the tensor's sizes (i32
/// each) and strides (i64 each) are the arguments after it, and have its name.
struct DescriptorArgument {
  unsigned index = 0;
  TensorDescType type;
  /// Whether the sizes and strides follow.
  bool hasExtents = false;

  unsigned rank() const { return static_cast<unsigned>(type.getBlockType().getRank()); }
  /// All arguments that belong to it.
  unsigned argumentCount() const { return 1 + (hasExtents ? 2 * rank() : 0); }
};

/// The descriptor that an argument of the source is; nothing if it is none. The kernel has a
/// body.
std::optional<DescriptorArgument> getDescriptorArgument(FuncOp kernel, unsigned index);

} // namespace tilewright::tt

#endif // TILEWRIGHT_IR_TT_DESCRIPTORARGUMENTS_H
