//===- AmdgpuBackend.h - HSACO from LLVM IR -------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_AMDGPUBACKEND_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_AMDGPUBACKEND_H

#include "emit/Backend.h"

namespace tilewright::emit {

/// For `target`, a "hip" one. EmittedCode::assembly is AMDGCN, nativeCode the bytes of a code
/// object of version 5 (HSACO), made from that text.
std::unique_ptr<Backend> createAmdgpuBackend(const target::Target &target);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_AMDGPUBACKEND_H
