//===- IntelLowering.cpp - Intel's part of the lowering -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Kernels are SPIR-V for OpenCL: a block is a work-group of one dimension, a warp a sub-group of
// consecutive work-items.
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/lower/IntelLowering.h"

#include "ir/ttg/Dialect.h"
#include "lower/core/builder/Constants.h"
#include "vendor/intel/lower/Builtins.h"
#include "vendor/intel/lower/MathFunctions.h"
#include "vendor/intel/lower/MatrixProducts.h"
#include "vendor/intel/lower/SpirvMemory.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::vendor::intel::spirv;
using intel::callBuiltin;
using intel::Effect;

namespace {

class IntelLowering final : public TargetLowering {
public:
  explicit IntelLowering(const target::Target &target) : TargetLowering(target) {}

  void markKernel(LLVM::LLVMFuncOp func, unsigned numThreads) const override {
    Builder builder(func.getContext());
    func.setCConv(LLVM::CConv::SPIR_KERNEL);
    func.setReqdWorkGroupSize(ArrayRef<int32_t>{static_cast<int32_t>(numThreads), 1, 1});
    func.setIntelReqdSubGroupSize(ttg::getThreadsPerWarp(func->getParentOfType<ModuleOp>()));
  }

  Value getThreadId(OpBuilder &builder, Location loc, unsigned numThreads) const override {
    return getNumber(builder, loc, "get_local_id", 0, 0, numThreads);
  }

  // There are at most 2^31 - 1 programs along an axis: tt's numbers are signed.
  Value getProgramId(OpBuilder &builder, Location loc, unsigned axis) const override {
    return getNumber(builder, loc, "get_group_id", axis, 0, INT32_MAX);
  }

  Value getNumPrograms(OpBuilder &builder, Location loc, unsigned axis) const override {
    return getNumber(builder, loc, "get_num_groups", axis, 1, uint64_t(INT32_MAX) + 1);
  }

  void emitBlockBarrier(OpBuilder &builder, Location loc) const override {
    emitBarrier(builder, loc, Workgroup,
                SequentiallyConsistent | WorkgroupMemory | CrossWorkgroupMemory);
  }

  void emitSharedBarrier(OpBuilder &builder, Location loc) const override {
    emitBarrier(builder, loc, Workgroup, SequentiallyConsistent | WorkgroupMemory);
  }

  void emitWarpBarrier(OpBuilder &builder, Location loc) const override {
    emitBarrier(builder, loc, Subgroup, SequentiallyConsistent | WorkgroupMemory);
  }

  Value shuffleXor(OpBuilder &builder, Location loc, Value word, unsigned laneMask) const override {
    return callBuiltin(builder, loc, "intel_sub_group_shuffle_xor", "ij", word.getType(),
                       {word, getI32(builder, loc, laneMask)}, Effect::Exchange)
        .getResult();
  }

  Value shuffleIndexed(OpBuilder &builder, Location loc, Value word, Value lane) const override {
    return callBuiltin(builder, loc, "intel_sub_group_shuffle", "ij", word.getType(), {word, lane},
                       Effect::Exchange)
        .getResult();
  }

  Value makeUniform(OpBuilder &builder, Location loc, Value word) const override {
    return shuffleIndexed(builder, loc, word, getI32(builder, loc, 0));
  }

  // A constant lane is a scalar operand, constant masks are moves of registers' parts; the lane as
  // a value is an indirect access.
  Value shuffleFixed(OpBuilder &builder, Location loc, Value word,
                     ArrayRef<unsigned> sources) const override {
    if (llvm::all_equal(sources))
      return shuffleIndexed(builder, loc, word, getI32(builder, loc, sources[0]));
    for (unsigned lane = 0; lane < sources.size(); ++lane)
      if (sources[lane] != (lane ^ sources[0]))
        return {};
    return shuffleXor(builder, loc, word, sources[0]);
  }

  Value reduceWarp(OpBuilder &builder, Location loc, Value word,
                   WarpReduction reduction) const override {
    auto call = [&](StringRef name, StringRef letter) -> Value {
      return callBuiltin(builder, loc, name, letter, word.getType(), word, Effect::Exchange)
          .getResult();
    };
    switch (reduction) {
    case WarpReduction::Add:
      return call("sub_group_reduce_add", "i");
    case WarpReduction::MinSigned:
      return call("sub_group_reduce_min", "i");
    case WarpReduction::MaxSigned:
      return call("sub_group_reduce_max", "i");
    case WarpReduction::MinUnsigned:
      return call("sub_group_reduce_min", "j");
    case WarpReduction::MaxUnsigned:
      return call("sub_group_reduce_max", "j");
    case WarpReduction::AddFloat:
      return call("sub_group_reduce_add", "f");
    case WarpReduction::MinNumber:
      return call("sub_group_reduce_min", "f");
    case WarpReduction::MaxNumber:
      return call("sub_group_reduce_max", "f");
    // SPIR-V 1.2 has none.
    case WarpReduction::And:
    case WarpReduction::Or:
    case WarpReduction::Xor:
      return {};
    }
    llvm_unreachable("every reduction is listed");
  }

  Value emitMath(OpBuilder &builder, Location loc, MathFunction function,
                 ValueRange operands) const override {
    Type f32 = builder.getF32Type();
    auto call = [&](StringRef name) -> Value {
      return callBuiltin(builder, loc, name, "f", f32, operands, Effect::None).getResult();
    };
    // OpenCL's functions are as accurate as they need to be here; `afn` keeps the IEEE ones, which
    // round correctly, apart.
    auto approximate = LLVM::FastmathFlags::afn;
    switch (function) {
    // Intel's compiler makes one instruction of exp2, as of native_exp2, which may have any error.
    case MathFunction::Exp2:
    case MathFunction::NormalExp2:
      return LLVM::Exp2Op::create(builder, loc, operands[0], approximate);
    case MathFunction::Sqrt:
      return LLVM::SqrtOp::create(builder, loc, operands[0], approximate);
    case MathFunction::Divide:
      return LLVM::FDivOp::create(builder, loc, operands[0], operands[1], approximate);
    case MathFunction::Rsqrt:
      return call("rsqrt");
    case MathFunction::Log2:
      return call("native_log2");
    case MathFunction::Sin:
      return call("native_sin");
    case MathFunction::Cos:
      return call("native_cos");
    }
    llvm_unreachable("every function is listed");
  }

  bool hasLibraryFunction(StringRef name) const override { return intel::hasMathFunction(name); }

  Value emitLibraryFunction(OpBuilder &builder, Location loc, StringRef name,
                            ValueRange operands) const override {
    return intel::emitMathFunction(builder, loc, name, operands);
  }

  // There are no integers of 128 bits.
  Value emitMultiplyHigh(OpBuilder &builder, Location loc, Value x, Value y,
                         bool isSigned) const override {
    const bool isLong = x.getType().isInteger(64);
    StringRef letters = isSigned ? (isLong ? "ll" : "ii") : (isLong ? "mm" : "jj");
    return callBuiltin(builder, loc, "mul_hi", letters, x.getType(), {x, y}, Effect::None)
        .getResult();
  }

  // LLVM's back end has bfloat with SPV_KHR_bfloat16 only, which drivers got in 2025.
  bool storesBf16AsI16() const override { return true; }

  bool hasVectorArithmetic() const override { return true; }

  SmallVector<Value> packFragment(OpBuilder &builder, Location loc, const target::MmaAtom &atom,
                                  ProductOperand operand, ValueRange registers) const override {
    return {intel::packDpasFragment(builder, loc, atom, operand, registers)};
  }

  SmallVector<Value> unpackFragment(OpBuilder &builder, Location loc, const target::MmaAtom &,
                                    ValueRange fragment, Type) const override {
    return intel::unpackDpasFragment(builder, loc, fragment.front());
  }

  SmallVector<Value> emitProduct(OpBuilder &builder, Location loc, const target::MmaAtom &atom,
                                 ValueRange a, ValueRange b, ValueRange c,
                                 unsigned) const override {
    return {intel::emitDpas(builder, loc, atom, a.front(), b.front(), c.front())};
  }

  bool canPrint() const override { return true; }

  void emitPrint(OpBuilder &builder, Location loc, StringRef format,
                 ValueRange values) const override {
    intel::callPrintf(builder, loc, format, values);
  }

  StringRef getSyncScope(MemoryScope scope) const override {
    switch (scope) {
    case MemoryScope::Block:
      return "workgroup";
    case MemoryScope::Device:
      return "device";
    case MemoryScope::System:
      return "";
    }
    llvm_unreachable("no such scope");
  }

  // Drivers refuse OpAtomic* of less, but for f16's minimum and maximum.
  unsigned getMinAtomicBits() const override { return 32; }

private:
  /// A number in [least, end) that a built-in gives for an axis.
  static Value getNumber(OpBuilder &builder, Location loc, StringRef name, unsigned axis,
                         uint64_t least, uint64_t end) {
    MLIRContext *context = builder.getContext();
    auto call = callBuiltin(builder, loc, name, "j", builder.getI64Type(),
                            getI32(builder, loc, axis), Effect::None);
    auto range = LLVM::ConstantRangeAttr::get(context, APInt(64, least), APInt(64, end));
    call.setResAttrsAttr(builder.getArrayAttr(builder.getDictionaryAttr(
        builder.getNamedAttr(LLVM::LLVMDialect::getRangeAttrName(), range))));
    return LLVM::TruncOp::create(builder, loc, builder.getI32Type(), call.getResult());
  }

  static void emitBarrier(OpBuilder &builder, Location loc, Scope scope, uint32_t semantics) {
    Value threads = getI32(builder, loc, scope);
    callBuiltin(builder, loc, "__spirv_ControlBarrier", "jjj", Type(),
                {threads, threads, getI32(builder, loc, semantics)}, Effect::Barrier);
  }
};

} // namespace

std::unique_ptr<TargetLowering> lower::createIntelLowering(const target::Target &target) {
  return std::make_unique<IntelLowering>(target);
}
