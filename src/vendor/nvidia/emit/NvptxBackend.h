//===- NvptxBackend.h - PTX from LLVM IR ----------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_EMIT_NVPTXBACKEND_H
#define TILEWRIGHT_VENDOR_NVIDIA_EMIT_NVPTXBACKEND_H

#include "emit/Backend.h"

namespace tilewright::emit {

/// For `target`, a "cuda" one.
std::unique_ptr<Backend> createNvptxBackend(const target::Target &target);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_NVIDIA_EMIT_NVPTXBACKEND_H
