//===- NvptxMachine.cpp - The NVPTX target machine ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/NvptxMachine.h"

#include "emit/TargetRegistration.h"
#include "target/Target.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

using namespace tilewright;
using namespace tilewright::emit;

static const llvm::Triple &triple() {
  static const llvm::Triple theTriple{llvm::StringRef(nvidiaTriple)};
  return theTriple;
}

const std::string &tilewright::emit::nvidiaDataLayout() {
  static const std::string layout = triple().computeDataLayout("shortptr");
  return layout;
}

/// Makes the back end use the data layout above. It offers no other way to ask for it
/// than the command-line option, which belongs to the process.
static void useShortPointers() {
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find("nvptx-short-ptr");
  if (found != options.end())
    static_cast<llvm::cl::opt<bool> *>(found->second)->setValue(true);
}

/// The registered NVPTX target; null if this LLVM was built without it.
static const llvm::Target *nvptx() {
  static const llvm::Target *const found = registerTarget(triple(), [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    useShortPointers();
  });
  return found;
}

std::unique_ptr<llvm::TargetMachine>
tilewright::emit::createNvptxMachine(const target::Target &target, const EmitOptions &options) {
  return createTargetMachine(nvptx(), triple(), target.processor, target.features, options);
}
