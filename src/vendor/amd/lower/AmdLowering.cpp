//===- AmdLowering.cpp - AMD's part of the lowering ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/lower/AmdLowering.h"

#include "lower/core/builder/Constants.h"
#include "target/AmdProcessor.h"
#include "vendor/amd/lower/Float8.h"
#include "vendor/amd/lower/Intrinsics.h"
#include "vendor/amd/lower/Math.h"
#include "vendor/amd/lower/MatrixProducts.h"
#include "vendor/amd/lower/MfmaProducts.h"
#include "vendor/amd/lower/Shuffles.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::lower::amd;

namespace {

// LLVM, "User Guide for AMDGPU Backend", code object v5: of the hidden arguments the numbers of
// blocks come first, 4 bytes each, in address space 4 (constant).
constexpr unsigned constantAddressSpace = 4;
constexpr unsigned blockCountBytes = 4;

/// What kernels here never ask for. LLVM would otherwise have the hardware hand it over in
/// registers, or the launch in hidden arguments (same guide, "Attributes").
constexpr StringRef unusedImplicitArgs[] = {
    "amdgpu-no-cluster-id-x",      "amdgpu-no-cluster-id-y",  "amdgpu-no-cluster-id-z",
    "amdgpu-no-completion-action", "amdgpu-no-default-queue", "amdgpu-no-dispatch-id",
    "amdgpu-no-dispatch-ptr",      "amdgpu-no-heap-ptr",      "amdgpu-no-hostcall-ptr",
    "amdgpu-no-lds-kernel-id",     "amdgpu-no-queue-ptr",     "amdgpu-no-multigrid-sync-arg",
    "amdgpu-no-workitem-id-y",     "amdgpu-no-workitem-id-z",
};

class AmdLowering final : public TargetLowering {
public:
  explicit AmdLowering(const target::Target &target)
      : TargetLowering(target), processor(target::amd::processorOf(target)) {}

  void markKernel(LLVM::LLVMFuncOp func, unsigned numThreads) const override {
    Builder builder(func.getContext());
    func.setCConv(LLVM::CConv::AMDGPU_KERNEL);
    SmallVector<Attribute> attributes;
    for (StringRef name : unusedImplicitArgs)
      attributes.push_back(builder.getStringAttr(name));
    auto add = [&](StringRef name, const Twine &value) {
      attributes.push_back(builder.getStrArrayAttr({name, value.str()}));
    };
    add("amdgpu-flat-work-group-size", Twine(numThreads) + "," + Twine(numThreads));
    add("uniform-work-group-size", "true");
    // RDNA 3 has a mode in which minimum and maximum make quiet NaNs of signalling ones, for which
    // LLVM puts an instruction before each operand. Nothing here tells the two apart.
    add("amdgpu-ieee", "false");
    func.setPassthroughAttr(builder.getArrayAttr(attributes));
  }

  Value getThreadId(OpBuilder &builder, Location loc, unsigned numThreads) const override {
    return ROCDL::ThreadIdXOp::create(
        builder, loc, builder.getI32Type(),
        LLVM::ConstantRangeAttr::get(builder.getContext(), 32, 0, numThreads));
  }

  // LLVM finds that id / 32 is the same in all lanes, but not that (id * 4) & 384 is.
  Value makeUniform(OpBuilder &builder, Location loc, Value word) const override {
    return callIntrinsic(builder, loc, "readfirstlane", word.getType(), word);
  }

  Value getProgramId(OpBuilder &builder, Location loc, unsigned axis) const override {
    Type i32 = builder.getI32Type();
    switch (axis) {
    case 0:
      return ROCDL::BlockIdXOp::create(builder, loc, i32);
    case 1:
      return ROCDL::BlockIdYOp::create(builder, loc, i32);
    default:
      return ROCDL::BlockIdZOp::create(builder, loc, i32);
    }
  }

  Value getNumPrograms(OpBuilder &builder, Location loc, unsigned axis) const override {
    auto pointerType = LLVM::LLVMPointerType::get(builder.getContext(), constantAddressSpace);
    Value hidden = callIntrinsic(builder, loc, "implicitarg.ptr", pointerType, {});
    Value place =
        LLVM::GEPOp::create(builder, loc, pointerType, builder.getI8Type(), hidden,
                            ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(axis * blockCountBytes)},
                            LLVM::GEPNoWrapFlags::inbounds);
    return LLVM::LoadOp::create(builder, loc, builder.getI32Type(), place, blockCountBytes,
                                /*isVolatile=*/false, /*isNonTemporal=*/false,
                                /*isInvariant=*/true);
  }

  void emitBlockBarrier(OpBuilder &builder, Location loc) const override {
    emitBarrier(builder, loc, {});
  }

  // Without the wait for global memory, and without emptying the cache of the compute unit.
  void emitSharedBarrier(OpBuilder &builder, Location loc) const override {
    emitBarrier(builder, loc,
                LLVM::MMRATagAttr::get(builder.getContext(), "amdgpu-synchronize-as", "local"));
  }

  // A wave's accesses to shared memory are done in order: only the compiler has to keep it.
  void emitWarpBarrier(OpBuilder &builder, Location loc) const override {
    LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::release, "wavefront");
    callIntrinsic(builder, loc, "wave.barrier", {}, {});
    LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::acquire, "wavefront");
  }

  Value shuffleXor(OpBuilder &builder, Location loc, Value word, unsigned laneMask) const override {
    SmallVector<unsigned, 64> sources;
    for (unsigned lane = 0; lane < getTarget().execution.threadsPerWarp; ++lane)
      sources.push_back(lane ^ laneMask);
    const target::amd::LaneShuffle plan = target::amd::planLaneShuffle(sources, processor.lanes);
    if (plan.kind != target::amd::LaneShuffle::Kind::Indexed)
      return emitLaneShuffle(builder, loc, word, plan);
    // The instruction looks at the bits of a lane's number alone.
    Value thread = ROCDL::ThreadIdXOp::create(builder, loc, builder.getI32Type());
    Value source = LLVM::XOrOp::create(builder, loc, thread, getI32(builder, loc, laneMask));
    return emitIndexedShuffle(builder, loc, word, source);
  }

  Value shuffleFixed(OpBuilder &builder, Location loc, Value word,
                     ArrayRef<unsigned> sources) const override {
    return emitLaneShuffle(builder, loc, word,
                           target::amd::planLaneShuffle(sources, processor.lanes));
  }

  Value shuffleIndexed(OpBuilder &builder, Location loc, Value word, Value lane) const override {
    return emitIndexedShuffle(builder, loc, word, lane);
  }

  Value emitMath(OpBuilder &builder, Location loc, MathFunction function,
                 ValueRange operands) const override {
    return amd::emitMath(builder, loc, function, operands);
  }

  Value emitPackedFloat8(OpBuilder &builder, Location loc, Value low, Value high,
                         FloatType to) const override {
    return amd::emitPackedFloat8(builder, loc, low, high, to);
  }

  Value emitUnpackedFloat8(OpBuilder &builder, Location loc, Value packed) const override {
    return amd::emitUnpackedFloat8(builder, loc, packed);
  }

  Value emitByteDotProduct(OpBuilder &builder, Location loc, Value a, Value b,
                           Value c) const override {
    Value isSigned = getBool(builder, loc, true), wraps = getBool(builder, loc, false);
    if (!processor.hasMixedByteProducts)
      return callIntrinsic(builder, loc, "sdot4", c.getType(), {a, b, c, wraps});
    return callIntrinsic(builder, loc, "sudot4", c.getType(), {isSigned, a, isSigned, b, c, wraps});
  }

  unsigned getAccumulatorsPerFragment(const target::MmaAtom &atom) const override {
    return !amd::isMfma(atom) && amd::hasHalfAccumulators(atom) ? 2 : 1;
  }

  SmallVector<Value> packFragment(OpBuilder &builder, Location loc, const target::MmaAtom &atom,
                                  ProductOperand operand, ValueRange registers) const override {
    if (amd::isMfma(atom))
      return {amd::packMfmaFragment(builder, loc, atom, operand, registers)};
    return {amd::packWmmaFragment(builder, loc, atom, operand, registers)};
  }

  SmallVector<Value> unpackFragment(OpBuilder &builder, Location loc, const target::MmaAtom &atom,
                                    ValueRange fragment, Type type) const override {
    if (amd::isMfma(atom))
      return amd::unpackMfmaFragment(builder, loc, fragment.front());
    return amd::unpackWmmaFragment(builder, loc, atom, fragment.front(), type);
  }

  SmallVector<Value> emitProduct(OpBuilder &builder, Location loc, const target::MmaAtom &atom,
                                 ValueRange a, ValueRange b, ValueRange c,
                                 unsigned part) const override {
    if (amd::isMfma(atom))
      return {amd::emitMfma(builder, loc, atom, a.front(), b.front(), c.front())};
    return {amd::emitWmma(builder, loc, atom, a.front(), b.front(), c.front(), part)};
  }

  bool canFail() const override { return true; }

  // Its message does not leave the device.
  void emitAssertionFailure(OpBuilder &builder, Location loc, StringRef, StringRef, StringRef,
                            unsigned) const override {
    LLVM::Trap::create(builder, loc);
  }

  bool hasInlineAssembly() const override { return true; }

  StringRef getSyncScope(MemoryScope scope) const override {
    switch (scope) {
    case MemoryScope::Block:
      return "workgroup";
    case MemoryScope::Device:
      return "agent";
    case MemoryScope::System:
      return "";
    }
    llvm_unreachable("no such scope");
  }

  // Of memory that the host shares while kernels run (fine-grained, or across the bus: same
  // guide), few operations are instructions; the others would be lost. Only an operation for
  // the whole system is meant for such memory: without the marks it is a loop of compare-and-swap.
  void markAtomic(LLVM::AtomicRMWOp operation, MemoryScope scope) const override {
    if (scope == MemoryScope::System)
      return;
    auto unit = UnitAttr::get(operation.getContext());
    operation->setAttr(ROCDL::ROCDLDialect::NoFineGrainedMemoryAttrHelper::getNameStr(), unit);
    operation->setAttr(ROCDL::ROCDLDialect::NoRemoteMemoryAttrHelper::getNameStr(), unit);
  }

  // RDNA4 Instruction Set Architecture, GLOBAL_ATOMIC_PK_ADD_F16 and _BF16. Before, a loop of
  // compare-and-swap takes 32 bits for one as for both.
  unsigned getMaxAtomicBits(LLVM::AtomicBinOp operation, Type elementType) const override {
    const unsigned own = TargetLowering::getMaxAtomicBits(operation, elementType);
    return operation == LLVM::AtomicBinOp::fadd && own == 16
               ? std::max(own, getTarget().global.maxAtomicAddBits)
               : own;
  }

private:
  /// A barrier between fences, for the memory that `tag` names (null: all).
  static void emitBarrier(OpBuilder &builder, Location loc, Attribute tag) {
    auto fence = [&](LLVM::AtomicOrdering ordering) {
      auto op = LLVM::FenceOp::create(builder, loc, ordering, "workgroup");
      if (tag)
        op->setDiscardableAttr(LLVM::LLVMDialect::getMmraAttrName(), tag);
    };
    fence(LLVM::AtomicOrdering::release);
    ROCDL::SBarrierOp::create(builder, loc);
    fence(LLVM::AtomicOrdering::acquire);
  }

  const target::amd::Processor &processor;
};

} // namespace

std::unique_ptr<TargetLowering> lower::createAmdLowering(const target::Target &target) {
  return std::make_unique<AmdLowering>(target);
}
