//===- Print.cpp - Lowering of printing ---------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// tt.print prints each element once, by the first of the locations that hold it:
//
//   pid (x, y, z) idx (i, j) prefix: value
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"
#include "lower/core/Patterns.h"
#include "lower/core/blocks/Branch.h"
#include "lower/elementwise/FloatCasts.h"
#include "lower/memory/ThreadAccess.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// A format of C's printf and what it prints, promoted as C does.
struct Output {
  std::string format;
  SmallVector<Value> values;

  void addText(StringRef text) {
    for (char c : text)
      format += c == '%' ? "%%" : std::string(1, c);
  }
  void addInteger(Value value, unsigned width = 0) {
    format += width ? "%" + std::to_string(width) + "u" : "%u";
    values.push_back(value);
  }
};

class Printer {
public:
  Printer(LoweringBuilder &e, tt::PrintOp op) : e(e), op(op) {
    for (unsigned axis = 0; axis < 3; ++axis)
      programIds.push_back(tt::createProgramId(e.builder, e.loc, axis));
  }

  /// "pid (x, y, z)"
  Output beginLine() {
    Output output;
    const char *before = "pid (";
    for (Value id : programIds) {
      output.addText(before);
      output.addInteger(id);
      before = ", ";
    }
    output.addText(")");
    return output;
  }

  /// " idx (i, j)" of register `r`. Numbers have the width of the dimension's largest.
  void addPlace(Output &output, RankedTensorType type, unsigned r) {
    output.addText(" idx (");
    if (type) {
      layout::LinearLayout layout = ttg::toLinearLayout(type);
      const uint64_t ofRegister =
          layout.applyFlat(uint64_t(r) << layout.inShift(layout::dims::Register));
      ThreadBases packed = getThreadBases(layout);
      for (auto [i, out] : llvm::enumerate(layout.outs())) {
        ThreadBases bases(packed);
        for (uint64_t &basis : bases)
          basis = layout.outValue(basis, out.dim);
        if (i)
          output.addText(", ");
        output.addInteger(e.getIndex(bases, layout.outValue(ofRegister, out.dim)),
                          std::to_string(out.size() - 1).size());
      }
    }
    output.addText(")");
  }

  /// The value of an element of `type`.
  void addValue(Output &output, Value value, Type type, bool isSigned) {
    Type i32 = e.builder.getI32Type();
    if (isa<tt::PointerType>(type)) {
      output.format += "%p";
      output.values.push_back(e.toMemory(value));
      return;
    }
    const unsigned bits = type.getIntOrFloatBitWidth();
    // 8-bit floats are their bits.
    const bool isHex = op.getHex() || (isa<FloatType>(type) && bits == 8);
    if (isa<FloatType>(type) && !isHex) {
      output.format += "%f";
      FloatType f64 = e.builder.getF64Type();
      output.values.push_back(
          castFloat(e, value, cast<FloatType>(type), f64, /*towardZero=*/false));
      return;
    }
    if (!isa<IntegerType>(value.getType()))
      value = e.create<LLVM::BitcastOp>(e.builder.getIntegerType(bits), value);
    if (bits < 32)
      value = isSigned && !isHex ? Value(e.create<LLVM::SExtOp>(i32, value))
                                 : Value(e.create<LLVM::ZExtOp>(i32, value));
    const char *length = bits > 32 ? "ll" : "";
    if (isHex)
      output.format += "0x%0" + std::to_string(std::max(1u, bits / 4)) + length + "x";
    else
      output.format += std::string("%") + length + (isSigned ? "i" : "u");
    output.values.push_back(value);
  }

  void print(Output &output) {
    output.addText("\n");
    e.target.emitPrint(e.builder, e.loc, output.format, output.values);
  }

private:
  LoweringBuilder &e;
  tt::PrintOp op;
  SmallVector<Value> programIds;
};

struct PrintPattern final : LoweringPattern<tt::PrintOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(tt::PrintOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!context.target.canPrint())
      return reject(op, rewriter, "since kernels cannot print there",
                    "store the values and print them on the host, or compile for another target");
    LoweringBuilder e(context, rewriter, op.getLoc());
    Printer printer(e, op);
    // A line for each program where there are no values.
    if (op.getArgs().empty())
      printOnce(e, rewriter, e.numThreads() - 1, [&] {
        Output output = printer.beginLine();
        output.addText(op.getPrefix());
        printer.print(output);
      });
    for (auto [i, operand, registers] : llvm::enumerate(op.getArgs(), adaptor.getArgs())) {
      const Type type = operand.getType();
      Type element = tt::getElementTypeOrSelf(type);
      const bool isSigned = i < op.getIsSigned().size() && op.getIsSigned()[i];
      printOnce(e, rewriter, getCopyThreads(type, e), [&, i = i, registers = registers] {
        for (ArrayRef<unsigned> access : getAccesses(type, /*width=*/{})) {
          Output output = printer.beginLine();
          printer.addPlace(output, dyn_cast<RankedTensorType>(type), access[0]);
          output.addText(op.getPrefix());
          if (op.getArgs().size() > 1)
            output.addText("(operand " + std::to_string(i) + ") ");
          printer.addValue(output, registers[access[0]], element, isSigned);
          printer.print(output);
        }
      });
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// By the threads whose bits in `copyThreads` are zero.
  static void printOnce(LoweringBuilder &e, RewriterBase &rewriter, uint32_t copyThreads,
                        llvm::function_ref<void()> print) {
    Value isFirst = e.testThreadBitsZero(copyThreads);
    auto body = [&] {
      print();
      return SmallVector<Value>();
    };
    if (isFirst)
      emitBranch(e, rewriter, isFirst, {}, body);
    else
      body();
  }
};

} // namespace

void lower::addPrintPatterns(RewritePatternSet &patterns, const TypeConverter &converter,
                             LoweringContext &context) {
  patterns.add<PrintPattern>(converter, context, patterns.getContext());
}
