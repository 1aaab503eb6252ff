//===- DeviceQueries.h - What modules ask of the device -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Modules choose functions and constants by the device that is there when they are imported. Here
// it is the target: Triton's driver tells its backend ("cuda", "hip", "xpu") and architecture,
// PyTorch, which calls AMD's devices "cuda" too, its capability, and so does the platform of vLLM,
// of which many programs' kernels are. What else they tell of a device - its name, its memory - is
// not known.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_NAMES_MODULES_DEVICEQUERIES_H
#define TILEWRIGHT_FRONTEND_NAMES_MODULES_DEVICEQUERIES_H

#include "frontend/builtins/Builtins.h"
#include "frontend/names/ResolverPart.h"

namespace tilewright::frontend {

/// Answers by the names of the objects and functions that are asked. There is no value, and no
/// error, if the answer is not known.
class DeviceQueries : public ResolverPart {
public:
  explicit DeviceQueries(Resolver &resolver) : ResolverPart(resolver) {}

  /// The attribute of an object that is not read: `torch.version`, `hip`.
  Value attribute(llvm::StringRef object, llvm::StringRef name);
  /// The result of a call: `torch.cuda.is_available`.
  Value call(llvm::StringRef callee, llvm::ArrayRef<GivenArgument> given);
  /// Whether it is PyTorch's module of a device that no target is.
  bool isAbsent(llvm::StringRef object, llvm::StringRef name) const;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_NAMES_MODULES_DEVICEQUERIES_H
