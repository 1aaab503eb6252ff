//===- NvidiaLowering.h - The lowering's vendor part: NVIDIA --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_NVIDIA_NVIDIALOWERING_H
#define TILEWRIGHT_LOWER_NVIDIA_NVIDIALOWERING_H

#include "lower/TargetLowering.h"

namespace tilewright::lower {

/// The lowering for "cuda:CC", CC the compute capability times ten; null where it is none
/// that is known.
std::unique_ptr<TargetLowering> createNvidiaLowering(llvm::StringRef targetName);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_NVIDIA_NVIDIALOWERING_H
