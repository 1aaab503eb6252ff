//===- SpirvValidation.h - Whether SPIR-V modules are valid ---------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What the program spirv-val says, without a process for each module.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_SUPPORT_SPIRVVALIDATION_H
#define TILEWRIGHT_TEST_SUPPORT_SPIRVVALIDATION_H

#include <string>
#include <string_view>

namespace tilewright::test {

/// What SPIRV-Tools finds wrong with a module of SPIR-V 1.2, as a file has it; empty where that is
/// nothing, and where the build has not found SPIRV-Tools.
std::string findSpirvFaults(std::string_view module);

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_SUPPORT_SPIRVVALIDATION_H
