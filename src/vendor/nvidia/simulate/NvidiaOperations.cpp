//===- NvidiaOperations.cpp - NVIDIA's simulated operations -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/simulate/NvidiaOperations.h"

#include "vendor/nvidia/plan/TensorMapFunctions.h"
#include "vendor/nvidia/plan/TensorMemoryFunctions.h"
#include "vendor/nvidia/plan/WarpGroupFunctions.h"
#include "vendor/nvidia/simulate/Replacer.h"
#include "vendor/nvidia/simulate/TensorMap.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <vector>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;
using llvm::Value;

static ParsedName parseName(llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef, 8> parts;
  name.split(parts, '.');
  ParsedName parsed;
  llvm::SmallVector<llvm::StringRef, 8> kept;
  for (llvm::StringRef part : parts) {
    bool type = llvm::StringSwitch<bool>(part)
                    .Cases({"f", "d", "f16", "f32", "f64", "bf16"}, true)
                    .Cases({"f16x2", "bf16x2", "v2f16", "v2bf16"}, true)
                    .Default(false);
    if (part == "ftz")
      parsed.flush = true;
    else if (!type)
      kept.push_back(part);
  }
  parsed.base = llvm::join(kept, ".");
  return parsed;
}

Value *Replacer::threadNumber() {
  using namespace llvm::Intrinsic;
  const Registers &registers = instrumenter.machine.registers;
  switch (call.getIntrinsicID()) {
  case nvvm_read_ptx_sreg_tid_x:
    return readRegister(registers.thread[0]);
  case nvvm_read_ptx_sreg_tid_y:
    return readRegister(registers.thread[1]);
  case nvvm_read_ptx_sreg_tid_z:
    return readRegister(registers.thread[2]);
  case nvvm_read_ptx_sreg_ntid_x:
    return readRegister(registers.blockSize[0]);
  case nvvm_read_ptx_sreg_ntid_y:
    return readRegister(registers.blockSize[1]);
  case nvvm_read_ptx_sreg_ntid_z:
    return readRegister(registers.blockSize[2]);
  case nvvm_read_ptx_sreg_ctaid_x:
    return readRegister(registers.block[0]);
  case nvvm_read_ptx_sreg_ctaid_y:
    return readRegister(registers.block[1]);
  case nvvm_read_ptx_sreg_ctaid_z:
    return readRegister(registers.block[2]);
  case nvvm_read_ptx_sreg_nctaid_x:
    return readRegister(registers.gridSize[0]);
  case nvvm_read_ptx_sreg_nctaid_y:
    return readRegister(registers.gridSize[1]);
  case nvvm_read_ptx_sreg_nctaid_z:
    return readRegister(registers.gridSize[2]);
  case nvvm_read_ptx_sreg_laneid:
    return readRegister(registers.lane);
  case nvvm_read_ptx_sreg_warpid:
    return readRegister(registers.warp);
  case nvvm_read_ptx_sreg_dynamic_smem_size:
    return readRegister(registers.sharedBytes);
  case nvvm_read_ptx_sreg_warpsize:
    return builder.getInt32(32);
  default:
    return unknown;
  }
}

Value *Replacer::ordering() {
  switch (call.getIntrinsicID()) {
  // Memory is in order here: one thread runs at a time.
  case llvm::Intrinsic::nvvm_membar_cta:
  case llvm::Intrinsic::nvvm_membar_gl:
  case llvm::Intrinsic::nvvm_membar_sys:
  // Launches come one after the other.
  case llvm::Intrinsic::nvvm_griddepcontrol_wait:
  case llvm::Intrinsic::nvvm_griddepcontrol_launch_dependents:
  // However many registers a thread has, it computes the same.
  case llvm::Intrinsic::nvvm_setmaxnreg_inc_sync_aligned_u32:
  case llvm::Intrinsic::nvvm_setmaxnreg_dec_sync_aligned_u32:
    return done();
  default:
    return unknown;
  }
}

Value *Replacer::intrinsicReplacement() {
  for (auto replace :
       {&Replacer::threadNumber, &Replacer::ordering, &Replacer::barrier, &Replacer::asyncOperation,
        &Replacer::phaseBarrier, &Replacer::tensorOperation, &Replacer::clusterOperation,
        &Replacer::laneOperation, &Replacer::matrixAccess, &Replacer::matrixProduct,
        &Replacer::warpGroupOperation, &Replacer::tensorMemoryOperation})
    if (Value *value = (this->*replace)())
      return value;
  llvm::StringRef name = call.getCalledFunction()->getName();
  name.consume_front("llvm.nvvm.");
  const ParsedName parsed = parseName(name);
  for (Value *value : {integers(parsed.base), conversion(parsed.base)})
    if (value)
      return value;
  return arithmetic(parsed);
}

Value *Replacer::replacement() {
  llvm::StringRef name = call.getCalledFunction()->getName();
  if (name == "__assertfail") {
    machineCall(simulate::runtime_call::assertionFailed, builder.getVoidTy(),
                {operand(0), operand(1), operand(2)});
    return done();
  }
  if (name == "vprintf")
    return hostCall(simulate::runtime_call::print, call.getType(), {operand(0), operand(1)});
  if (name.starts_with("llvm.nvvm."))
    return intrinsicReplacement();
  if (name.starts_with(vendor::nvidia::tensorMapPrefix))
    return tensorMapOperation();
  return name.starts_with(vendor::nvidia::tensorLoadWaitPrefix) ? tensorMemoryOperation()
                                                                : warpGroupOperation();
}

static bool replace(Instrumenter &instrumenter, llvm::CallInst &call) {
  llvm::StringRef name = call.getCalledFunction()->getName();
  name.consume_front("llvm.nvvm.");
  Replacer replacer(instrumenter, call, name.str());
  return replacer.finish(replacer.replacement());
}

static bool replaceAssembly(Instrumenter &instrumenter, llvm::CallInst &call) {
  Replacer replacer(instrumenter, call, "inline assembly");
  return replacer.finish(replacer.packedArithmetic());
}

/// "nvvm.reqntid"="128" or "16,8,1".
static LaunchBounds statedLaunch(const llvm::Function &kernel) {
  llvm::StringRef rest = kernel.getFnAttribute("nvvm.reqntid").getValueAsString();
  uint64_t threads = 1, size;
  bool said = !rest.empty();
  while (!rest.empty() && !rest.consumeInteger(10, size)) {
    threads *= size;
    rest.consume_front(",");
  }
  return {.threadsPerBlock = said ? threads : 0};
}

const VendorOperations &nvidia::operations() {
  static const std::string_view prefixes[] = {"llvm.nvvm.",
                                              "__assertfail",
                                              "vprintf",
                                              vendor::nvidia::warpGroupPrefix,
                                              vendor::nvidia::tensorLoadWaitPrefix,
                                              vendor::nvidia::tensorMapPrefix};
  static const std::vector<RuntimeSymbol> symbols = [] {
    std::vector<RuntimeSymbol> all;
    for (std::span<const RuntimeSymbol> part :
         {barrierSymbols(), clusterSymbols(), asyncCopySymbols(), phaseBarrierSymbols(),
          tensorCopySymbols(), tensorMapSymbols(), laneOperationSymbols(), matrixAccessSymbols(),
          matrixProductSymbols(), conversionSymbols(), warpGroupSymbols(), tensorMemorySymbols()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  static const VendorOperations table = {
      .prefixes = prefixes,
      .replace = replace,
      .symbols = symbols,
      .replaceAssembly = replaceAssembly,
      .statedLaunch = statedLaunch,
      .addressSpaces = {.generic = 0, .shared = 3, .stack = 5, .cluster = 7},
      .encodeTensorMap = encodeTensorMap,
      .clampsShifts = true};
  return table;
}
