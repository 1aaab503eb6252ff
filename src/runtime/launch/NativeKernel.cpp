//===- NativeKernel.cpp - Kernels that a driver has loaded --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/launch/NativeKernel.h"

using namespace tilewright;
using namespace tilewright::runtime;

NativeKernel::~NativeKernel() = default;

const NativeDriver *runtime::nativeDriverOf(std::string_view target) {
  static const NativeDriver drivers[] = {{{".cubin", ".ptx"}, loadCudaKernel},
                                         {{".hsaco"}, loadHipKernel},
                                         {{".spv"}, loadOpenClKernel}};
  const std::string_view suffix = nativeCodeSuffix(target);
  for (const NativeDriver &driver : drivers)
    if (driver.suffixes.back() == suffix)
      return &driver;
  return nullptr;
}
