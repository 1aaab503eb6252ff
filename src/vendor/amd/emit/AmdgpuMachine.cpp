//===- AmdgpuMachine.cpp - The AMDGPU target machine --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/AmdgpuMachine.h"

#include "emit/TargetRegistration.h"
#include "target/Target.h"

#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

#include <map>
#include <mutex>
#include <tuple>
#include <vector>

using namespace tilewright;
using namespace tilewright::emit;

const llvm::Triple &tilewright::emit::amdgpuTriple() {
  static const llvm::Triple triple("amdgcn-amd-amdhsa");
  return triple;
}

const llvm::Target *tilewright::emit::amdgpu() {
  static const llvm::Target *const found = registerTarget(amdgpuTriple(), [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser();
  });
  return found;
}

namespace {
/// The machines that nobody uses.
class IdleMachines {
public:
  /// The purpose of a machine: the processor, its features, whether to fuse multiply-adds.
  using Key = std::tuple<std::string, std::string, bool>;

  /// Null if there is none.
  std::unique_ptr<llvm::TargetMachine> take(const Key &key) {
    std::lock_guard lock(mutex);
    std::vector<std::unique_ptr<llvm::TargetMachine>> &idle = machines[key];
    if (idle.empty())
      return nullptr;
    std::unique_ptr<llvm::TargetMachine> machine = std::move(idle.back());
    idle.pop_back();
    return machine;
  }

  void put(const Key &key, std::unique_ptr<llvm::TargetMachine> machine) {
    std::lock_guard lock(mutex);
    machines[key].push_back(std::move(machine));
  }

private:
  std::mutex mutex;
  std::map<Key, std::vector<std::unique_ptr<llvm::TargetMachine>>> machines;
};
} // namespace

/// Never destroyed: threads may give machines back while the process ends.
static IdleMachines &idleMachines() {
  static auto *const machines = new IdleMachines;
  return *machines;
}

std::shared_ptr<llvm::TargetMachine>
tilewright::emit::createAmdgpuMachine(const target::Target &target, const EmitOptions &options) {
  IdleMachines::Key key(target.processor, target.features, options.fuseMultiplyAdd);
  std::unique_ptr<llvm::TargetMachine> machine = idleMachines().take(key);
  if (!machine)
    machine =
        createTargetMachine(amdgpu(), amdgpuTriple(), target.processor, target.features, options);
  if (!machine)
    return nullptr;
  // Each product and sum says whether it may be fused: fuseButSharedProducts.
  if (options.fuseMultiplyAdd)
    machine->Options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  return {machine.release(), [key](llvm::TargetMachine *used) {
            idleMachines().put(key, std::unique_ptr<llvm::TargetMachine>(used));
          }};
}
