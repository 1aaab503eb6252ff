//===- TransposingLoads.cpp - Loads that transpose, on AMD's GPUs -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The instruction wants all lanes (RDNA4 Instruction Set Architecture, 11.6.2), and an address of
// each. Under a mask, lanes that are off load what the first lane that is on loads, and the
// elements that come from them are set to zero; a wave none of whose lanes is on loads nothing.
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/lower/TransposingLoads.h"

#include "ir/ttg/query/TransposingLoads.h"
#include "lower/core/Patterns.h"
#include "lower/core/types/AccessWidth.h"
#include "lower/memory/ThreadAccess.h"
#include "vendor/amd/lower/Intrinsics.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {
struct TransposingLoadPattern final : LoweringPattern<tt::LoadOp> {
  TransposingLoadPattern(const PatternServices &services, MLIRContext *context)
      : LoweringPattern(services.converter, services.context, context, /*benefit=*/2),
        widths(services.widths) {}

  LogicalResult matchAndRewrite(tt::LoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op->hasAttr(ttg::transposingAttrName))
      return rewriter.notifyMatchFailure(op, "does not transpose");
    LoweringBuilder e(context, rewriter, op.getLoc());
    Type type = getTypeConverter()->convertType(tt::getElementTypeOrSelf(op.getType()));
    Type memoryType = e.getMemoryType(type);
    const target::CopyAtom *atom =
        ttg::findTransposingLoad(context.target.getTarget(), 8 * e.getMemoryBytes(type));
    const AccessWidth &width = widths.get(op);
    if (!atom || width.elements() != elements)
      return reject(op, rewriter, "because it is no such access as transposes here");

    SmallVector<Value> registers(adaptor.getPtr().size());
    for (ArrayRef<unsigned> access : getAccesses(op.getType(), width)) {
      Value pointer = adaptor.getPtr()[access[0]];
      Value predicate = getPredicate(adaptor.getMask(), access[0]);
      if (predicate)
        pointer = e.create<LLVM::SelectOp>(predicate, pointer, getZeros(e));
      Value vector = load(e, pointer, memoryType);
      for (auto [r, value] : llvm::zip_equal(access, e.unpackVector(vector)))
        registers[r] = e.fromMemory(value, type);
    }
    rewriter.replaceOpWithMultiple(op, ArrayRef<ValueRange>{registers});
    return success();
  }

private:
  static constexpr unsigned elements = 8, bytes = 16;

  /// The lane's elements, of `type`, as a vector.
  static Value load(LoweringBuilder &e, Value pointer, Type type) {
    Value loaded = amd::callIntrinsic(e.builder, e.loc, "global.load.tr.b128",
                                      VectorType::get(elements, e.builder.getI16Type()), pointer);
    return e.create<LLVM::BitcastOp>(VectorType::get(elements, type), loaded);
  }

  /// Where there are zeros in global memory.
  static Value getZeros(LoweringBuilder &e) {
    constexpr StringLiteral name = "zeros";
    MLIRContext *context = e.builder.getContext();
    auto module = e.builder.getBlock()->getParentOp()->getParentOfType<ModuleOp>();
    if (!module.lookupSymbol(name)) {
      OpBuilder::InsertionGuard guard(e.builder);
      e.builder.setInsertionPointToStart(module.getBody());
      LLVM::GlobalOp::create(e.builder, module.getLoc(),
                             LLVM::LLVMArrayType::get(e.builder.getI8Type(), bytes),
                             /*isConstant=*/true, LLVM::Linkage::Internal, name,
                             e.builder.getStringAttr(std::string(bytes, 0)),
                             /*alignment=*/bytes, AddressSpace::Global);
    }
    return e.create<LLVM::AddressOfOp>(LLVM::LLVMPointerType::get(context, AddressSpace::Global),
                                       name);
  }

  const AccessWidths &widths;
};
} // namespace

void amd::addTransposingLoadPattern(RewritePatternSet &patterns, const PatternServices &services) {
  patterns.add<TransposingLoadPattern>(services, patterns.getContext());
}
