//===- SpirvValidation.cpp - Whether SPIR-V modules are valid -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "SpirvValidation.h"

#ifdef TILEWRIGHT_HAS_SPIRV_TOOLS
#include <spirv-tools/libspirv.hpp>

#include <cstring>
#include <vector>

std::string tilewright::test::findSpirvFaults(std::string_view module) {
  std::vector<uint32_t> words(module.size() / sizeof(uint32_t));
  std::memcpy(words.data(), module.data(), words.size() * sizeof(uint32_t));
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_2);
  std::string faults;
  tools.SetMessageConsumer(
      [&](spv_message_level_t, const char *, const spv_position_t &position, const char *message) {
        faults += "instruction " + std::to_string(position.index) + ": " + message + "; ";
      });
  if (tools.Validate(words))
    return {};
  return faults.empty() ? "it is no module" : faults;
}
#else
std::string tilewright::test::findSpirvFaults(std::string_view) { return {}; }
#endif
