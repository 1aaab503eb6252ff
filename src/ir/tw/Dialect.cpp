//===- Dialect.cpp - The tw dialect: types and layouts ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/tw/Dialect.h"

#include "ir/EncodingVerification.h"
#include "ir/KeyReader.h"
#include "ir/ttg/encoding/Inference.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tw;

#include "ir/tw/Dialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/tw/Attrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/tw/Types.cpp.inc"

namespace {

/// Names layouts in the text: #coopmatrix.
struct AliasInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (!isa<CoopMatrixEncodingAttr>(attr))
      return AliasResult::NoAlias;
    os << "coopmatrix";
    return AliasResult::FinalAlias;
  }
};

/// Functions that compute with matrices are inlined as others are.
struct MatrixInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};

} // namespace

void TilewrightDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/tw/Attrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/tw/Types.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/tw/Ops.cpp.inc"
      >();
  addInterfaces<AliasInterface, MatrixInlinerInterface>();
}

//===--------------------------------------------------------------------------===//
// CoopMatrixType
//===--------------------------------------------------------------------------===//

/// Any size of warp that a target has: the check of a type does not depend on it.
static constexpr unsigned anyLanes = 32;

Type CoopMatrixType::parse(AsmParser &parser) {
  SmallVector<int64_t, 2> sizes;
  Type elementType;
  StringRef word;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseDimensionList(sizes, /*allowDynamic=*/false) || parser.parseType(elementType) ||
      parser.parseComma())
    return {};
  if (sizes.size() != 2) {
    parser.emitError(loc) << "!tw.coopmatrix has two sizes, as in 4x15xf32, not " << sizes.size();
    return {};
  }
  SMLoc wordLoc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word) || parser.parseGreater())
    return {};
  std::optional<layout::MatrixUse> use = layout::parseMatrixUse(word);
  if (!use) {
    parser.emitError(wordLoc) << "the use of !tw.coopmatrix is matrix_a, matrix_b or matrix_acc, "
                                 "not "
                              << word;
    return {};
  }
  auto emitError = [&] { return parser.emitError(loc); };
  if (failed(verify(emitError, sizes[0], sizes[1], elementType, *use)))
    return {};
  return get(parser.getContext(), sizes[0], sizes[1], elementType, *use);
}

std::string CoopMatrixType::getShapeText() const {
  std::string text;
  llvm::raw_string_ostream(text) << getRows() << 'x' << getColumns() << 'x' << getElementType();
  return text;
}

void CoopMatrixType::print(AsmPrinter &printer) const {
  printer << '<' << getShapeText() << ", " << StringRef(layout::name(getUse())) << '>';
}

LogicalResult CoopMatrixType::verify(function_ref<InFlightDiagnostic()> emitError, int64_t rows,
                                     int64_t columns, Type elementType, layout::MatrixUse use) {
  const bool isElement =
      elementType.isF16() || elementType.isBF16() || elementType.isF32() || elementType.isF64() ||
      (elementType.isSignlessInteger() &&
       llvm::is_contained({8u, 16u, 32u, 64u}, elementType.getIntOrFloatBitWidth()));
  if (!isElement)
    return emitError() << "!tw.coopmatrix has elements of i8, i16, i32, i64, f16, bf16, f32 or "
                          "f64, not "
                       << elementType;
  return ir::report("!tw.coopmatrix",
                    layout::CooperativeMatrix::verify(
                        rows, columns, elementType.getIntOrFloatBitWidth(), use, anyLanes),
                    emitError);
}

layout::CooperativeMatrix CoopMatrixType::getMatrix(unsigned lanes) const {
  return *layout::CooperativeMatrix::create(
      getRows(), getColumns(), getElementType().getIntOrFloatBitWidth(), getUse(), lanes);
}

//===--------------------------------------------------------------------------===//
// CoopMatrixEncodingAttr
//===--------------------------------------------------------------------------===//

/// The width of an element where none is given: all from 16 bits on lie alike.
static constexpr unsigned anyElementBits = 16;

Attribute CoopMatrixEncodingAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  std::optional<layout::MatrixUse> use;
  std::optional<unsigned> subgroupSize;
  // The use is a keyword, which no dictionary holds.
  auto parseKey = [&]() -> ParseResult {
    StringRef key, word;
    SMLoc keyLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return failure();
    if ((key == "use" && use) || (key == "subgroupSize" && subgroupSize))
      return parser.emitError(keyLoc) << "#tw.coopmatrix has the key '" << key << "' twice";
    if (key == "subgroupSize")
      return ir::parseNumber(parser, "'subgroupSize' of #tw.coopmatrix", subgroupSize.emplace());
    if (key != "use")
      return parser.emitError(keyLoc) << "#tw.coopmatrix has no key '" << key << "'";
    SMLoc wordLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    use = layout::parseMatrixUse(word);
    if (!use)
      return parser.emitError(wordLoc) << "'use' of #tw.coopmatrix is matrix_a, matrix_b or "
                                          "matrix_acc, not "
                                       << word;
    return success();
  };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseKey) ||
      parser.parseGreater())
    return {};
  if (!use || !subgroupSize) {
    parser.emitError(loc) << "#tw.coopmatrix needs the key '" << (use ? "subgroupSize" : "use")
                          << "'";
    return {};
  }
  return parser.getChecked<CoopMatrixEncodingAttr>(parser.getContext(), *use, *subgroupSize);
}

void CoopMatrixEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{use = " << StringRef(layout::name(getUse()))
          << ", subgroupSize = " << getSubgroupSize() << "}>";
}

LogicalResult CoopMatrixEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                             layout::MatrixUse use, unsigned subgroupSize) {
  // A matrix of one element has whatever else it takes.
  return ir::report("#tw.coopmatrix",
                    layout::CooperativeMatrix::verify(1, 1, anyElementBits, use, subgroupSize),
                    emitError);
}

LogicalResult
CoopMatrixEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                                       function_ref<InFlightDiagnostic()> emitError) const {
  if (failed(ir::verifyRank(*this, getRank(), shape, emitError)))
    return failure();
  return ir::reportShape(*this, shape,
                         layout::CooperativeMatrix::verify(shape[0], shape[1],
                                                           tt::getStorageBits(elementType),
                                                           getUse(), getSubgroupSize()),
                         emitError);
}

unsigned CoopMatrixEncodingAttr::getRank() const { return 2; }

layout::CooperativeMatrix CoopMatrixEncodingAttr::getMatrix(ArrayRef<int64_t> shape,
                                                            unsigned elementBits) const {
  return *layout::CooperativeMatrix::create(shape[0], shape[1], elementBits, getUse(),
                                            getSubgroupSize());
}

bool CoopMatrixEncodingAttr::isLinear(ArrayRef<int64_t> shape) const {
  return bool(getMatrix(shape, anyElementBits).toLinearLayout());
}

layout::LinearLayout CoopMatrixEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return toLinearLayoutOf(shape, anyElementBits);
}

layout::LinearLayout CoopMatrixEncodingAttr::toLinearLayoutOf(ArrayRef<int64_t> shape,
                                                              unsigned elementBits) const {
  return *getMatrix(shape, std::max(8u, elementBits)).toLinearLayout();
}

Attribute CoopMatrixEncodingAttr::inferReduce(unsigned axis) const {
  return ttg::sliceOf(*this, axis);
}

Attribute CoopMatrixEncodingAttr::inferExpandDims(unsigned) const { return {}; }

// Bytes of matrix_b lie elsewhere than larger elements do, and the question does not say which of
// the two the tensor has.
Attribute CoopMatrixEncodingAttr::inferTrans(ArrayRef<int64_t> shape,
                                             ArrayRef<int32_t> order) const {
  if (getUse() == layout::MatrixUse::B || !isLinear(shape))
    return {};
  return ttg::transposeByBases(*this, shape, order);
}
