//===- SpirvMachine.cpp - The SPIR-V target machine ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/SpirvMachine.h"

#include "emit/TargetRegistration.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

using namespace tilewright;
using namespace tilewright::emit;

/// Extensions that modules may use beyond SPIR-V 1.2 and the extended instructions of OpenCL.
static constexpr const char *extensions =
    // Shuffles and block accesses of sub-groups.
    "+SPV_INTEL_subgroups,"
    // Atomic addition, minimum and maximum of floats.
    "+SPV_EXT_shader_atomic_float_add,"
    "+SPV_EXT_shader_atomic_float16_add,"
    "+SPV_EXT_shader_atomic_float_min_max,"
    // DPAS (ExtensionInstructions.h), and what feeds it (BlockInstructions.h).
    "+SPV_INTEL_subgroup_matrix_multiply_accumulate,"
    "+SPV_INTEL_2d_block_io,"
    // Cooperative matrices (transform/CooperativeMatrices.h), and those of bf16.
    "+SPV_KHR_cooperative_matrix,"
    "+SPV_KHR_bfloat16,"
    // Barriers in two steps (transform/PrefetchBlocks.cpp).
    "+SPV_INTEL_split_barrier,"
    // Policies of caches (CacheControls.h).
    "+SPV_INTEL_cache_controls";

/// The back end takes its extensions by a command-line option only, which belongs to the process.
static void allowExtensions() {
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find("spirv-ext");
  if (found != options.end())
    found->second->addOccurrence(0, "spirv-ext", extensions);
}

static const llvm::Triple &triple() {
  static const llvm::Triple theTriple{llvm::StringRef(spirvTriple)};
  return theTriple;
}

/// The registered SPIR-V target; null if this LLVM was built without it.
static const llvm::Target *spirv() {
  static const llvm::Target *const found = registerTarget(triple(), [] {
    LLVMInitializeSPIRVTargetInfo();
    LLVMInitializeSPIRVTarget();
    LLVMInitializeSPIRVTargetMC();
    LLVMInitializeSPIRVAsmPrinter();
    allowExtensions();
  });
  return found;
}

std::unique_ptr<llvm::TargetMachine>
tilewright::emit::createSpirvMachine(const EmitOptions &options) {
  // SPIR-V has no processors: drivers generate the code.
  return createTargetMachine(spirv(), triple(), /*processor=*/"", /*features=*/"", options);
}
