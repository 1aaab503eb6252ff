//===- NvidiaLowering.cpp - NVIDIA's part of the lowering ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/lower/NvidiaLowering.h"

#include "ir/ttg/ThreadGroup.h"
#include "lower/core/builder/Constants.h"
#include "vendor/nvidia/lower/DeviceCalls.h"
#include "vendor/nvidia/lower/MatrixProducts.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

// All lanes of a warp take part in its shuffles and barriers: control flow of tile programs
// is the same for all threads of a group, and groups consist of whole warps.
constexpr uint32_t allLanes = 0xffffffff;
// The operand c of shfl: no segments, lanes up to 31 (PTX ISA, shfl.sync).
constexpr uint32_t wholeWarp = 0x1f;

class NvidiaLowering final : public TargetLowering {
public:
  explicit NvidiaLowering(const target::Target &target) : TargetLowering(target) {}

  void markKernel(LLVM::LLVMFuncOp func, unsigned numThreads) const override {
    Builder builder(func.getContext());
    func->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), builder.getUnitAttr());
    func->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                  builder.getDenseI32ArrayAttr({static_cast<int32_t>(numThreads)}));
    // With more threads, and no word of how many blocks are to be resident, ptxas spills all but 32
    // registers where not all fit.
    constexpr unsigned threadsOfMaxRegisters = 256;
    const bool isDivided = numThreads > ttg::getNumWarps(func) * ttg::getThreadsPerWarp(func);
    if (isDivided && numThreads > threadsOfMaxRegisters)
      func->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), builder.getI32IntegerAttr(1));
    if (const unsigned blocks = ttg::getNumCTAs(func); blocks > 1)
      func->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                    builder.getDenseI32ArrayAttr({static_cast<int32_t>(blocks)}));
    // A parameter passed by value stays where the launch puts it: kernels do not write it.
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (func.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName()))
        func.setArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName(), builder.getUnitAttr());
  }

  Value getThreadId(OpBuilder &builder, Location loc, unsigned numThreads) const override {
    return NVVM::ThreadIdXOp::create(
        builder, loc, builder.getI32Type(),
        LLVM::ConstantRangeAttr::get(builder.getContext(), 32, 0, numThreads));
  }

  // Programs that clusters of blocks run are numbered as the clusters are.
  Value getProgramId(OpBuilder &builder, Location loc, unsigned axis) const override {
    return readAlongAxis<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp, NVVM::ClusterIdXOp,
                         NVVM::ClusterIdYOp, NVVM::ClusterIdZOp>(builder, loc, axis);
  }

  Value getNumPrograms(OpBuilder &builder, Location loc, unsigned axis) const override {
    return readAlongAxis<NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp, NVVM::ClusterDimXOp,
                         NVVM::ClusterDimYOp, NVVM::ClusterDimZOp>(builder, loc, axis);
  }

  void emitBlockBarrier(OpBuilder &builder, Location loc) const override {
    NVVM::Barrier0Op::create(builder, loc);
  }

  void emitNamedBarrier(OpBuilder &builder, Location loc, NamedBarrier barrier) const override {
    NVVM::BarrierOp::create(builder, loc, /*res=*/Type(), getI32(builder, loc, barrier.id),
                            getI32(builder, loc, barrier.numThreads), /*reductionOp=*/nullptr,
                            /*reductionPredicate=*/Value());
  }

  void emitWarpBarrier(OpBuilder &builder, Location loc) const override {
    NVVM::SyncWarpOp::create(builder, loc, getI32(builder, loc, allLanes));
  }

  Value shuffleXor(OpBuilder &builder, Location loc, Value word, unsigned laneMask) const override {
    return shuffle(builder, loc, word, getI32(builder, loc, laneMask), NVVM::ShflKind::bfly);
  }

  Value shuffleIndexed(OpBuilder &builder, Location loc, Value word, Value lane) const override {
    return shuffle(builder, loc, word, lane, NVVM::ShflKind::idx);
  }

  Value reduceWarp(OpBuilder &builder, Location loc, Value word,
                   WarpReduction reduction) const override {
    return NVVM::ReduxOp::create(builder, loc, word.getType(), word, getReduxKind(reduction),
                                 getI32(builder, loc, allLanes));
  }

  Value emitMath(OpBuilder &builder, Location loc, MathFunction function,
                 ValueRange operands) const override {
    // The back end has an instruction for these when it may approximate (`afn`).
    auto approximate = LLVM::FastmathFlags::afn;
    switch (function) {
    case MathFunction::Exp2:
      return LLVM::Exp2Op::create(builder, loc, operands[0], approximate);
    case MathFunction::Sqrt:
      return LLVM::SqrtOp::create(builder, loc, operands[0], approximate);
    case MathFunction::Sin:
      return LLVM::SinOp::create(builder, loc, operands[0], approximate);
    case MathFunction::Cos:
      return LLVM::CosOp::create(builder, loc, operands[0], approximate);
    // And these have no other name than the vendor's.
    case MathFunction::NormalExp2:
      return callIntrinsic(builder, loc, "llvm.nvvm.ex2.approx.ftz.f32", operands);
    case MathFunction::Log2:
      return callIntrinsic(builder, loc, "llvm.nvvm.lg2.approx.f", operands);
    case MathFunction::Rsqrt:
      return callIntrinsic(builder, loc, "llvm.nvvm.rsqrt.approx.f", operands);
    case MathFunction::Divide:
      return callIntrinsic(builder, loc, "llvm.nvvm.div.full", operands);
    }
    return {};
  }

  Value emitPackedFloat8(OpBuilder &builder, Location loc, Value low, Value high,
                         FloatType to) const override {
    // The first operand goes into the upper half.
    return callIntrinsic(builder, loc,
                         isa<Float8E4M3FNType>(to) ? "llvm.nvvm.ff.to.e4m3x2.rn"
                                                   : "llvm.nvvm.ff.to.e5m2x2.rn",
                         {high, low}, builder.getI16Type());
  }

  Value emitUnpackedFloat8(OpBuilder &builder, Location loc, Value packed) const override {
    return callIntrinsic(builder, loc, "llvm.nvvm.e4m3x2.to.f16x2.rn", packed,
                         VectorType::get(2, builder.getF16Type()));
  }

  void emitAsyncCopy(OpBuilder &builder, Location loc, const target::CopyAtom &atom, Value target,
                     Value source, Value predicate) const override {
    // PTX ISA, cp.async: only 16 bytes go past the first level of the cache.
    const unsigned bytes = atom.bits() / 8;
    Value size;
    if (predicate)
      size = LLVM::SelectOp::create(builder, loc, predicate, getI32(builder, loc, bytes),
                                    getI32(builder, loc, 0));
    NVVM::CpAsyncOp::create(
        builder, loc, target, source, bytes,
        bytes == 16 ? NVVM::LoadCacheModifierKind::CG : NVVM::LoadCacheModifierKind::CA, size);
  }

  bool canPrint() const override { return true; }

  void emitPrint(OpBuilder &builder, Location loc, StringRef format,
                 ValueRange values) const override {
    nvidia::emitVprintf(builder, loc, format, values);
  }

  bool canFail() const override { return true; }

  void emitAssertionFailure(OpBuilder &builder, Location loc, StringRef message, StringRef file,
                            StringRef function, unsigned line) const override {
    nvidia::emitAssertfail(builder, loc, message, file, function, line);
  }

  bool hasInlineAssembly() const override { return true; }

  StringRef getSyncScope(MemoryScope scope) const override {
    switch (scope) {
    case MemoryScope::Block:
      return "block";
    case MemoryScope::Device:
      return "device";
    case MemoryScope::System:
      return "";
    }
    llvm_unreachable("no such scope");
  }

  // PTX ISA, atom: pairs of f16 everywhere here, vectors of all but f64 where there are any.
  unsigned getMaxAtomicBits(LLVM::AtomicBinOp operation, Type elementType) const override {
    const unsigned own = TargetLowering::getMaxAtomicBits(operation, elementType);
    const unsigned most = getTarget().global.maxAtomicAddBits;
    if (operation != LLVM::AtomicBinOp::fadd || elementType.isF64())
      return own;
    return most > 32 || elementType.isF16() ? std::max(own, most) : own;
  }

  Value emitByteDotProduct(OpBuilder &builder, Location loc, Value a, Value b,
                           Value c) const override {
    return callIntrinsic(builder, loc, "llvm.nvvm.idp4a.s.s", {a, b, c});
  }

  SmallVector<Value> emitWarpLoad(OpBuilder &builder, Location loc, const target::CopyAtom &atom,
                                  Value pointer, unsigned matrices) const override {
    Type i32 = builder.getI32Type(), type = i32;
    if (matrices > 1)
      type =
          LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(matrices, i32));
    Value loaded =
        NVVM::LdMatrixOp::create(builder, loc, type, pointer, matrices, getMatrixLayout(atom),
                                 getMatrixShape(builder), NVVM::LdStMatrixEltType::B16);
    if (matrices == 1)
      return {loaded};
    SmallVector<Value> words;
    for (unsigned i = 0; i < matrices; ++i)
      words.push_back(LLVM::ExtractValueOp::create(builder, loc, loaded, i));
    return words;
  }

  void emitWarpStore(OpBuilder &builder, Location loc, const target::CopyAtom &atom, Value pointer,
                     ValueRange words) const override {
    NVVM::StMatrixOp::create(builder, loc, pointer, words, getMatrixLayout(atom),
                             getMatrixShape(builder), NVVM::LdStMatrixEltType::B16);
  }

  SmallVector<Value> packFragment(OpBuilder &builder, Location loc, const target::MmaAtom &atom,
                                  ProductOperand operand, ValueRange registers) const override {
    const target::MmaType type = operand == ProductOperand::A   ? atom.a
                                 : operand == ProductOperand::B ? atom.b
                                                                : atom.accumulator;
    return nvidia::packMmaFragment(builder, loc, type, registers);
  }

  SmallVector<Value> unpackFragment(OpBuilder &builder, Location loc, const target::MmaAtom &,
                                    ValueRange fragment, Type type) const override {
    return nvidia::unpackMmaFragment(builder, loc, fragment, type);
  }

  SmallVector<Value> emitProduct(OpBuilder &builder, Location loc, const target::MmaAtom &atom,
                                 ValueRange a, ValueRange b, ValueRange c,
                                 unsigned) const override {
    return nvidia::emitMma(builder, loc, atom, a, b, c);
  }

private:
  /// The register of the axis: of blocks, or where these form clusters, of clusters.
  template <typename BlockX, typename BlockY, typename BlockZ, typename ClusterX, typename ClusterY,
            typename ClusterZ>
  static Value readAlongAxis(OpBuilder &builder, Location loc, unsigned axis) {
    Type i32 = builder.getI32Type();
    if (ttg::getNumCTAs(builder.getBlock()->getParentOp()) > 1)
      return axis == 0   ? Value(ClusterX::create(builder, loc, i32))
             : axis == 1 ? Value(ClusterY::create(builder, loc, i32))
                         : Value(ClusterZ::create(builder, loc, i32));
    return axis == 0   ? Value(BlockX::create(builder, loc, i32))
           : axis == 1 ? Value(BlockY::create(builder, loc, i32))
                       : Value(BlockZ::create(builder, loc, i32));
  }

  static NVVM::ReduxKind getReduxKind(WarpReduction reduction) {
    switch (reduction) {
    case WarpReduction::Add:
      return NVVM::ReduxKind::ADD;
    case WarpReduction::And:
      return NVVM::ReduxKind::AND;
    case WarpReduction::Or:
      return NVVM::ReduxKind::OR;
    case WarpReduction::Xor:
      return NVVM::ReduxKind::XOR;
    case WarpReduction::MinSigned:
      return NVVM::ReduxKind::MIN;
    case WarpReduction::MaxSigned:
      return NVVM::ReduxKind::MAX;
    case WarpReduction::MinUnsigned:
      return NVVM::ReduxKind::UMIN;
    case WarpReduction::MaxUnsigned:
      return NVVM::ReduxKind::UMAX;
    default:
      llvm_unreachable("every reduction of integers is listed");
    }
  }

  static NVVM::MMALayout getMatrixLayout(const target::CopyAtom &atom) {
    return atom.keepsNeighbors() ? NVVM::MMALayout::row : NVVM::MMALayout::col;
  }

  static NVVM::LdStMatrixShapeAttr getMatrixShape(OpBuilder &builder) {
    return NVVM::LdStMatrixShapeAttr::get(builder.getContext(), 8, 8);
  }

  static Value shuffle(OpBuilder &builder, Location loc, Value word, Value lane,
                       NVVM::ShflKind kind) {
    return NVVM::ShflOp::create(builder, loc, word.getType(), getI32(builder, loc, allLanes), word,
                                lane, getI32(builder, loc, wholeWarp), kind,
                                /*return_value_and_is_valid=*/UnitAttr());
  }

  /// `type` is that of the first operand if it is not given.
  static Value callIntrinsic(OpBuilder &builder, Location loc, StringRef name, ValueRange operands,
                             Type type = {}) {
    return LLVM::CallIntrinsicOp::create(builder, loc, type ? type : operands[0].getType(),
                                         builder.getStringAttr(name), operands)
        .getResult(0);
  }
};

} // namespace

std::unique_ptr<TargetLowering> lower::createNvidiaLowering(const target::Target &target) {
  return std::make_unique<NvidiaLowering>(target);
}
