//===- SpirvBackend.h - SPIR-V from LLVM IR -------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_EMIT_SPIRVBACKEND_H
#define TILEWRIGHT_VENDOR_INTEL_EMIT_SPIRVBACKEND_H

#include "emit/Backend.h"

namespace tilewright::emit {

/// For `target`, an "xpu" one. The code is a SPIR-V module for the environment of OpenCL, as
/// OpenCL's, Level Zero's and SYCL's drivers load it; there is no assembly text.
std::unique_ptr<Backend> createSpirvBackend(const target::Target &target);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_INTEL_EMIT_SPIRVBACKEND_H
