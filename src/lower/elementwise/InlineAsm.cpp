//===- InlineAsm.cpp - Lowering of inline assembly ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The assembly takes `packed_element` elements of each operand at once, and gives as many of each
// result. Elements of less than 32 bits share a register, as many as there are at once. A thread
// whose elements are no multiple of them repeats its last.
//
//===--------------------------------------------------------------------------===//

#include "lower/elementwise/InlineAsm.h"

#include "lower/core/Patterns.h"

#include "llvm/IR/InlineAsm.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// How the elements that are taken at once lie in registers.
struct Packing {
  unsigned elements, perRegister;

  Packing(Type memoryType, unsigned elements)
      : elements(elements),
        perRegister(std::min(elements, std::max(1u, 32 / memoryType.getIntOrFloatBitWidth()))) {}
  unsigned registers() const { return llvm::divideCeil(elements, perRegister); }
};

/// Returns the error in constraints for this number of registers; empty if there is none.
std::string checkConstraints(StringRef constraints, size_t outputs, size_t inputs) {
  llvm::InlineAsm::ConstraintInfoVector parsed = llvm::InlineAsm::ParseConstraints(constraints);
  if (parsed.empty() && !constraints.empty())
    return "with constraints that cannot be read: " + constraints.str();
  size_t given[2] = {0, 0};
  for (const llvm::InlineAsm::ConstraintInfo &info : parsed) {
    if (info.isIndirect)
      return "with a constraint of memory: " + constraints.str();
    if (info.Type == llvm::InlineAsm::isOutput)
      ++given[0];
    else if (info.Type == llvm::InlineAsm::isInput)
      ++given[1];
  }
  if (given[0] == outputs && given[1] == inputs)
    return {};
  return "with constraints for " + std::to_string(given[0]) + " outputs and " +
         std::to_string(given[1]) + " inputs: results and operands take " +
         std::to_string(outputs) + " and " + std::to_string(inputs) + " registers";
}

Type getRegisterType(LoweringBuilder &e, Type memoryType, const Packing &packing) {
  if (packing.perRegister == 1)
    return memoryType;
  return e.builder.getIntegerType(memoryType.getIntOrFloatBitWidth() * packing.perRegister);
}

void pack(LoweringBuilder &e, ValueRange operand, unsigned first, unsigned atOnce,
          SmallVectorImpl<Value> &words) {
  Type memoryType = e.getMemoryType(operand[0].getType());
  Packing packing(memoryType, atOnce);
  for (unsigned i = 0; i < atOnce; i += packing.perRegister) {
    SmallVector<Value> elements;
    for (unsigned k = 0; k < packing.perRegister; ++k)
      elements.push_back(e.toMemory(operand[std::min<size_t>(first + i + k, operand.size() - 1)]));
    words.push_back(elements.size() == 1
                        ? elements[0]
                        : Value(e.create<LLVM::BitcastOp>(getRegisterType(e, memoryType, packing),
                                                          e.packVector(elements))));
  }
}

void unpack(LoweringBuilder &e, Value word, Type type, const Packing &packing,
            SmallVectorImpl<Value> &values) {
  Type memoryType = e.getMemoryType(type);
  if (packing.perRegister == 1) {
    values.push_back(e.fromMemory(word, type));
    return;
  }
  Value vector = e.create<LLVM::BitcastOp>(VectorType::get(packing.perRegister, memoryType), word);
  for (Value element : e.unpackVector(vector))
    values.push_back(e.fromMemory(element, type));
}

struct InlineAsmPattern final : LoweringPattern<tt::ElementwiseInlineAsmOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tt::ElementwiseInlineAsmOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    if (!context.target.hasInlineAssembly())
      return reject(op, rewriter, "since kernels cannot hold assembly there",
                    "write it in terms of other operations, or compile for another target");
    const ArrayRef<ValueRange> operands = adaptor.getArgs();
    SmallVector<Type> types, operandTypes;
    unsigned count = 0;
    for (Type type : op.getResultTypes()) {
      SmallVector<Type> converted;
      if (failed(getTypeConverter()->convertType(type, converted)))
        return failure();
      types.push_back(converted[0]);
      count = converted.size();
    }
    for (ValueRange operand : operands)
      operandTypes.push_back(operand[0].getType());
    if (std::string problem = checkInlineAsm(e, op, operandTypes, types); !problem.empty())
      return reject(op, rewriter, problem);
    rewriter.replaceOpWithMultiple(op, emitInlineAsm(e, op, operands, types, count));
    return success();
  }
};

} // namespace

std::string lower::checkInlineAsm(LoweringBuilder &e, tt::ElementwiseInlineAsmOp op,
                                  TypeRange operandTypes, TypeRange resultTypes) {
  const unsigned atOnce = op.getPackedElement();
  if (atOnce < 1 || op.getNumResults() == 0)
    return "without elements or results";
  auto countRegisters = [&](TypeRange types) {
    size_t registers = 0;
    for (Type type : types)
      registers += Packing(e.getMemoryType(type), atOnce).registers();
    return registers;
  };
  return checkConstraints(op.getConstraints(), countRegisters(resultTypes),
                          countRegisters(operandTypes));
}

SmallVector<SmallVector<Value>> lower::emitInlineAsm(LoweringBuilder &e,
                                                     tt::ElementwiseInlineAsmOp op,
                                                     ArrayRef<ValueRange> operands,
                                                     TypeRange resultTypes, unsigned count) {
  const unsigned atOnce = op.getPackedElement();
  SmallVector<Type> registerTypes;
  for (Type type : resultTypes) {
    const Packing packing(e.getMemoryType(type), atOnce);
    registerTypes.append(packing.registers(), getRegisterType(e, e.getMemoryType(type), packing));
  }
  Type resultType = registerTypes.size() == 1
                        ? registerTypes[0]
                        : LLVM::LLVMStructType::getLiteral(op.getContext(), registerTypes);

  SmallVector<SmallVector<Value>> results(op.getNumResults());
  for (unsigned first = 0; first < count; first += atOnce) {
    SmallVector<Value> words;
    for (ValueRange operand : operands)
      pack(e, operand, first, atOnce, words);
    Value returned = e.create<LLVM::InlineAsmOp>(
                          resultType, words, op.getAsmString(), op.getConstraints(),
                          /*has_side_effects=*/!op.getPure(),
                          /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                          LLVM::AsmDialectAttr(), ArrayAttr())
                         .getResult(0);
    unsigned next = 0;
    for (auto [type, values] : llvm::zip_equal(resultTypes, results)) {
      const Packing packing(e.getMemoryType(type), atOnce);
      for (unsigned i = 0; i < packing.registers(); ++i, ++next) {
        Value word = registerTypes.size() == 1
                         ? returned
                         : Value(e.create<LLVM::ExtractValueOp>(returned, next));
        unpack(e, word, type, packing, values);
      }
      values.resize(std::min<size_t>(first + atOnce, count));
    }
  }
  return results;
}

void lower::addInlineAsmPattern(RewritePatternSet &patterns, const TypeConverter &converter,
                                LoweringContext &context) {
  patterns.add<InlineAsmPattern>(converter, context, patterns.getContext());
}
