//===- IntelOperations.cpp - Intel's simulated operations ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/simulate/IntelOperations.h"

#include "vendor/intel/lower/SpirvMemory.h"
#include "vendor/intel/simulate/Replacer.h"

#include <llvm/ADT/StringSwitch.h>

#include <array>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::intel;
using namespace tilewright::vendor::intel::spirv;
using llvm::Value;

bool Replacer::isSubGroupScope(unsigned index) { return constantOperand(index) == Subgroup; }

//===--------------------------------------------------------------------------===//
// The thread's place
//===--------------------------------------------------------------------------===//

Value *Replacer::workItem() {
  const Registers &registers = instrumenter.machine.registers;
  llvm::Type *type = call.getType();
  if (!type->isIntegerTy())
    return unknown;
  auto number = [&](const uint32_t &field) {
    return builder.CreateZExtOrTrunc(readRegister(field), type);
  };
  using Axes = const uint32_t (&)[3];
  auto product = [&](Axes a, Axes b, unsigned axis) {
    return builder.CreateMul(number(a[axis]), number(b[axis]));
  };

  // Numbers of the sub-group.
  llvm::StringRef name = function.name;
  Value *groupSize = llvm::ConstantInt::get(type, instrumenter.machine.lanesPerWarp());
  if (name == "get_sub_group_local_id" || name == "__spirv_BuiltInSubgroupLocalInvocationId")
    return number(registers.lane);
  if (name == "get_sub_group_id" || name == "__spirv_BuiltInSubgroupId")
    return number(registers.warp);
  if (name == "get_sub_group_size" || name == "get_max_sub_group_size" ||
      name == "__spirv_BuiltInSubgroupSize" || name == "__spirv_BuiltInSubgroupMaxSize")
    return groupSize;
  if (name == "get_num_sub_groups" || name == "get_enqueued_num_sub_groups" ||
      name == "__spirv_BuiltInNumSubgroups")
    return builder.CreateUDiv(number(registers.blockSize[0]), groupSize);
  if (name == "get_local_linear_id" || name == "__spirv_BuiltInLocalInvocationIndex")
    return number(registers.thread[0]);
  if (name == "get_work_dim" || name == "__spirv_BuiltInWorkDim")
    return llvm::ConstantInt::get(type, 3);

  // Numbers along an axis; outside of the three axes, what there is of a grid of one thread.
  std::array<Value *, 3> axes;
  unsigned beyond = 0;
  auto along = [&](auto valueOf) {
    for (unsigned axis = 0; axis < 3; ++axis)
      axes[axis] = valueOf(axis);
    return true;
  };
  bool known = false;
  if (name == "get_local_id" || name == "__spirv_BuiltInLocalInvocationId") {
    known = along([&](unsigned axis) { return number(registers.thread[axis]); });
  } else if (name == "get_group_id" || name == "__spirv_BuiltInWorkgroupId") {
    known = along([&](unsigned axis) { return number(registers.block[axis]); });
  } else if (name == "get_global_offset" || name == "__spirv_BuiltInGlobalOffset") {
    known = along([&](unsigned) { return llvm::ConstantInt::get(type, 0); });
  } else if (name == "get_global_id" || name == "__spirv_BuiltInGlobalInvocationId") {
    known = along([&](unsigned axis) {
      return builder.CreateAdd(product(registers.block, registers.blockSize, axis),
                               number(registers.thread[axis]));
    });
  } else {
    beyond = 1;
    if (name == "get_local_size" || name == "get_enqueued_local_size" ||
        name == "__spirv_BuiltInWorkgroupSize")
      known = along([&](unsigned axis) { return number(registers.blockSize[axis]); });
    else if (name == "get_num_groups" || name == "__spirv_BuiltInNumWorkgroups")
      known = along([&](unsigned axis) { return number(registers.gridSize[axis]); });
    else if (name == "get_global_size" || name == "__spirv_BuiltInGlobalSize")
      known = along(
          [&](unsigned axis) { return product(registers.gridSize, registers.blockSize, axis); });
  }
  if (!known || call.arg_size() != 1)
    return unknown;
  Value *result = llvm::ConstantInt::get(type, beyond);
  for (unsigned axis = 0; axis < 3; ++axis)
    result = builder.CreateSelect(
        builder.CreateICmpEQ(operand(0), llvm::ConstantInt::get(operand(0)->getType(), axis)),
        axes[axis], result);
  return result;
}

//===--------------------------------------------------------------------------===//
// Barriers and fences
//===--------------------------------------------------------------------------===//

Value *Replacer::synchronization() {
  llvm::StringRef name = function.name;
  // Bits of cl_mem_fence_flags and of SPIR-V's memory semantics.
  constexpr uint64_t localFence = 1;
  constexpr uint64_t workGroupMemory = 0x100, anyOrder = 0x2 | 0x4 | 0x8 | 0x10;
  auto has = [&](unsigned index, uint64_t bits) {
    return (constantOperand(index).value_or(0) & bits) != 0;
  };
  if (name == "barrier" || name == "work_group_barrier")
    return blockBarrier(has(0, localFence));
  if (name == "intel_work_group_barrier_arrive" || name == "intel_work_group_barrier_wait") {
    machineCall(name.ends_with("arrive") ? simulate::runtime_call::signalBarrier
                                         : simulate::runtime_call::waitAtBarrier,
                builder.getVoidTy(), {builder.getInt32(has(0, localFence))});
    return done();
  }
  if (name == "sub_group_barrier")
    return warpBarrier(allLanes());
  if (name == "__spirv_ControlBarrier") {
    if (isSubGroupScope(0))
      return warpBarrier(allLanes());
    if (constantOperand(0) != Workgroup)
      return unknown;
    return blockBarrier(has(2, workGroupMemory) && has(2, anyOrder));
  }
  // Memory is in order here: one thread runs at a time. The order that is checked needs fences.
  if (name == "__spirv_MemoryBarrier" && instrumenter.options.globalOrder) {
    constexpr uint64_t acquire = 0x2 | 0x8 | 0x10, release = 0x4 | 0x8 | 0x10;
    const uint64_t scope = constantOperand(0).value_or(Workgroup);
    if (scope < Workgroup)
      machineCall(simulate::runtime_call::fenceGlobal, builder.getVoidTy(),
                  {builder.getInt32((has(1, acquire) ? simulate::runtime_call::acquires : 0) |
                                    (has(1, release) ? simulate::runtime_call::releases : 0))});
    return done();
  }
  if (name == "mem_fence" || name == "read_mem_fence" || name == "write_mem_fence" ||
      name == "atomic_work_item_fence" || name == "__spirv_MemoryBarrier")
    return done();
  return unknown;
}

//===--------------------------------------------------------------------------===//
// Printing
//===--------------------------------------------------------------------------===//

Value *Replacer::printed() {
  if (function.name != "printf" || call.arg_size() == 0)
    return unknown;
  // The values lie one after the other, each aligned to its size.
  const llvm::DataLayout &layout = instrumenter.module.getDataLayout();
  llvm::SmallVector<uint64_t> offsets;
  uint64_t bytes = 0;
  for (unsigned i = 1; i < call.arg_size(); ++i) {
    uint64_t size = layout.getTypeAllocSize(operand(i)->getType());
    offsets.push_back(bytes = llvm::alignTo(bytes, size));
    bytes += size;
  }
  llvm::IRBuilder<> entry(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
  llvm::AllocaInst *values = entry.CreateAlloca(
      llvm::ArrayType::get(entry.getInt64Ty(), std::max<uint64_t>(1, llvm::divideCeil(bytes, 8))));
  for (unsigned i = 1; i < call.arg_size(); ++i)
    builder.CreateStore(operand(i),
                        builder.CreateConstGEP1_64(builder.getInt8Ty(), values, offsets[i - 1]));
  Value *format = builder.CreateAddrSpaceCast(operand(0), builder.getPtrTy());
  return hostCall(runtime_call::print, builder.getInt32Ty(), {format, values});
}

Value *Replacer::replacement() {
  using Part = Value *(Replacer::*)();
  for (Part part :
       {&Replacer::workItem, &Replacer::synchronization, &Replacer::shuffled, &Replacer::rotated,
        &Replacer::vote, &Replacer::reduction, &Replacer::matrixProduct, &Replacer::math,
        &Replacer::integers, &Replacer::converted, &Replacer::printed, &Replacer::blockMessage})
    if (Value *value = (this->*part)())
      return value;
  return unknown;
}

static bool replace(Instrumenter &instrumenter, llvm::CallInst &call) {
  Replacer replacer(instrumenter, call, BuiltinName(call.getCalledFunction()->getName()));
  return replacer.finish(replacer.replacement());
}

/// !reqd_work_group_size, three integers, and !intel_reqd_sub_group_size.
static LaunchBounds statedLaunch(const llvm::Function &kernel) {
  auto product = [&](llvm::StringRef name) -> uint64_t {
    const llvm::MDNode *node = kernel.getMetadata(name);
    if (!node)
      return 0;
    uint64_t result = 1;
    for (const llvm::MDOperand &operand : node->operands())
      if (auto *size = llvm::mdconst::dyn_extract<llvm::ConstantInt>(operand))
        result *= size->getZExtValue();
    return result;
  };
  return {.threadsPerBlock = product("reqd_work_group_size"),
          .threadsPerWarp = product("intel_reqd_sub_group_size")};
}

const VendorOperations &intel::operations() {
  static const std::string_view prefixes[] = {"_Z", "__spirv_", "printf"};
  static const std::vector<RuntimeSymbol> symbols = [] {
    std::vector<RuntimeSymbol> all;
    for (std::span<const RuntimeSymbol> part :
         {mathSymbols(), matrixProductSymbols(), blockMessageSymbols()})
      all.insert(all.end(), part.begin(), part.end());
    return all;
  }();
  static const VendorOperations table = {.prefixes = prefixes,
                                         .replace = replace,
                                         .symbols = symbols,
                                         .statedLaunch = statedLaunch,
                                         .addressSpaces = {.generic = 4, .shared = 3, .stack = 0}};
  return table;
}
