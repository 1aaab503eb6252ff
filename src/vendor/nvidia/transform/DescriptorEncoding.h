//===- DescriptorEncoding.h - Descriptors that TMA takes ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_DESCRIPTORENCODING_H
#define TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_DESCRIPTORENCODING_H

#include "ir/ttg/Dialect.h"

namespace tilewright::vendor::nvidia {

/// The layout in shared memory of a block that the tensor memory accelerator copies: rows along
/// the last dimension, swizzled as wide as they are, so that eight of them lie in different banks;
/// not swizzled where there are fewer than eight. The layout that products of warp groups want of
/// an operand with such rows is the same.
ttg::NvmmaSharedEncodingAttr getDescriptorEncoding(mlir::RankedTensorType block);

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_TRANSFORM_DESCRIPTORENCODING_H
