//===- Ops.cpp - Verifiers and canonical forms of ttg -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;

#define GET_OP_CLASSES
#include "ir/ttg/Ops.cpp.inc"

//===--------------------------------------------------------------------------===//
// ConvertLayoutOp
//===--------------------------------------------------------------------------===//

LogicalResult ConvertLayoutOp::verify() {
  if (!tt::getLayoutEncoding(getSrc().getType()) || !tt::getLayoutEncoding(getType()))
    return emitOpError("converts between layouts, but one of its tensors has none");
  return success();
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSrc()))
    return SplatElementsAttr::get(cast<ShapedType>(getType()), splat.getSplatValue<Attribute>());
  return {};
}

namespace {

/// convert(convert(x)) -> convert(x).
struct ConvertOfConvert : OpRewritePattern<ConvertLayoutOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvertLayoutOp op, PatternRewriter &rewriter) const override {
    auto inner = op.getSrc().getDefiningOp<ConvertLayoutOp>();
    if (!inner)
      return failure();
    rewriter.replaceOpWithNewOp<ConvertLayoutOp>(op, op.getType(), inner.getSrc());
    return success();
  }
};

/// What has no operands in a layout is made in the wanted one.
struct ConvertOfSource : OpRewritePattern<ConvertLayoutOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ConvertLayoutOp op, PatternRewriter &rewriter) const override {
    Operation *source = op.getSrc().getDefiningOp();
    if (auto splat = dyn_cast_or_null<tt::SplatOp>(source)) {
      rewriter.replaceOpWithNewOp<tt::SplatOp>(op, op.getType(), splat.getSrc());
      return success();
    }
    if (auto range = dyn_cast_or_null<tt::MakeRangeOp>(source)) {
      rewriter.replaceOpWithNewOp<tt::MakeRangeOp>(op, op.getType(), range.getStart(),
                                                   range.getEnd());
      return success();
    }
    return failure();
  }
};

} // namespace

void ConvertLayoutOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                  MLIRContext *context) {
  patterns.add<ConvertOfConvert, ConvertOfSource>(context);
}

//===--------------------------------------------------------------------------===//
// BarrierOp
//===--------------------------------------------------------------------------===//

static constexpr std::pair<StringLiteral, BarrierSpace> barrierSpaces[] = {
    {"local", Local},
    {"global_read", GlobalRead},
    {"global_write", GlobalWrite},
    {"tensor", Tensor}};

ParseResult BarrierOp::parse(OpAsmParser &parser, OperationState &result) {
  int32_t spaces = 0;
  do {
    SMLoc loc = parser.getCurrentLocation();
    StringRef keyword;
    if (parser.parseKeyword(&keyword))
      return failure();
    const auto *found =
        llvm::find_if(barrierSpaces, [&](const auto &entry) { return entry.first == keyword; });
    if (keyword == "all")
      spaces |= All;
    else if (found != std::end(barrierSpaces))
      spaces |= found->second;
    else
      return parser.emitError(loc) << "unknown memory '" << keyword
                                   << "'; there are local, global_read, global_write, tensor, all";
  } while (succeeded(parser.parseOptionalVerticalBar()));
  result.addAttribute("addressSpaces", parser.getBuilder().getI32IntegerAttr(spaces));
  return parser.parseOptionalAttrDict(result.attributes);
}

void BarrierOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  int32_t spaces = getAddressSpaces();
  if (spaces == All) {
    printer << "all";
  } else {
    SmallVector<StringRef> names;
    for (const auto &[name, bit] : barrierSpaces)
      if (spaces & bit)
        names.push_back(name);
    llvm::interleave(names, printer.getStream(), "|");
  }
  printer.printOptionalAttrDict((*this)->getAttrs(), {"addressSpaces"});
}
