//===- NvidiaOperations.cpp - What NVIDIA's GPUs add --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/simulate/NvidiaOperations.h"

#include "vendor/nvidia/simulate/Replacer.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Intrinsics.h>

#include <optional>
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

Value *Replacer::threadNumber(llvm::StringRef name) {
  const Registers &registers = instrumenter.machine.registers;
  const uint32_t *field = nullptr;
  auto vector = [&](llvm::StringRef prefix, const uint32_t (&values)[3]) {
    llvm::StringRef rest = name;
    if (rest.consume_front(prefix) && rest.size() == 1 && rest[0] >= 'x' && rest[0] <= 'z')
      field = &values[rest[0] - 'x'];
  };
  vector("tid.", registers.thread);
  vector("ntid.", registers.blockSize);
  vector("ctaid.", registers.block);
  vector("nctaid.", registers.gridSize);
  if (name == "laneid")
    field = &registers.lane;
  if (name == "warpid")
    field = &registers.warp;
  if (name == "dynamic_smem_size")
    field = &registers.sharedBytes;
  if (field)
    return readRegister(*field);
  if (name == "warpsize")
    return builder.getInt32(32);
  return unknown;
}

Value *Replacer::intrinsicNamed(const ParsedName &name) {
  llvm::StringRef base = name.base;
  if (base.consume_front("read.ptx.sreg."))
    return threadNumber(base);
  // Memory is in order here: one thread runs at a time.
  if (base == "membar.cta" || base == "membar.gl" || base == "membar.sys")
    return done();
  // Launches come one after the other.
  if (base == "griddepcontrol.wait" || base == "griddepcontrol.launch.dependents")
    return done();
  for (Value *value : {barrier(), asyncOperation(), laneOperation(base), matrixAccess(base),
                       integers(base), conversion(base)})
    if (value)
      return value;
  return arithmetic(name);
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
  return name.consume_front("llvm.nvvm.") ? intrinsicNamed(parseName(name)) : unknown;
}

static bool replace(Instrumenter &instrumenter, llvm::CallInst &call) {
  llvm::StringRef name = call.getCalledFunction()->getName();
  name.consume_front("llvm.nvvm.");
  Replacer replacer(instrumenter, call, name.str());
  return replacer.finish(replacer.replacement());
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
  static const std::string_view prefixes[] = {"llvm.nvvm.", "__assertfail", "vprintf"};
  static const std::vector<RuntimeSymbol> symbols = [] {
    std::vector<RuntimeSymbol> all;
    for (std::span<const RuntimeSymbol> part :
         {barrierSymbols(), asyncCopySymbols(), laneOperationSymbols(), matrixAccessSymbols(),
          conversionSymbols()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  static const VendorOperations table = {.prefixes = prefixes,
                                         .replace = replace,
                                         .symbols = symbols,
                                         .statedLaunch = statedLaunch,
                                         .addressSpaces = {.generic = 0, .shared = 3, .stack = 5}};
  return table;
}
