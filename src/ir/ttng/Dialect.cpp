//===- Dialect.cpp - The ttng dialect: NVIDIA Hopper and Blackwell ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttng/Dialect.h"

#include "ir/EncodingVerification.h"
#include "ir/KeyPrinter.h"
#include "ir/KeyReader.h"
#include "ir/tt/DescriptorBlock.h"
#include "ir/ttng/TensorMemoryRules.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttng;

#include "ir/ttng/Dialect.cpp.inc"
#include "ir/ttng/Enums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/ttng/Attrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/ttng/Types.cpp.inc"

namespace {

/// Names encodings in the text: #tmem, #tmem_scales.
struct AliasInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (isa<TensorMemoryEncodingAttr>(attr))
      os << "tmem";
    else if (isa<TensorMemoryScalesEncodingAttr>(attr))
      os << "tmem_scales";
    else
      return AliasResult::NoAlias;
    return AliasResult::FinalAlias;
  }
};

/// All ops may be inlined anywhere.
struct TritonNvidiaGPUInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }
};

} // namespace

void TritonNvidiaGPUDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/ttng/Attrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/ttng/Types.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/ttng/Ops.cpp.inc"
      >();
  addInterfaces<AliasInterface, TritonNvidiaGPUInlinerInterface, TensorMemoryRules>();
}

//===--------------------------------------------------------------------------===//
// Text of the encodings
//===--------------------------------------------------------------------------===//

namespace {

/// The syntax that the two encodings of tensor memory share: `key = value`, the keys in any order,
/// each at most once.
class Keys {
public:
  Keys(AsmParser &parser, StringRef encoding) : parser(parser), encoding(encoding) {}

  /// Reads `<key = value, ..>`; `readValue` reads the value of a key, or gives nothing for one
  /// that there is not.
  ParseResult read(function_ref<std::optional<ParseResult>(StringRef key)> readValue) {
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, [&]() -> ParseResult {
      SMLoc loc = parser.getCurrentLocation();
      StringRef key;
      if (parser.parseKeyword(&key) || parser.parseEqual())
        return failure();
      if (!seen.insert(key).second)
        return parser.emitError(loc) << encoding << " has the key '" << key << "' twice";
      std::optional<ParseResult> value = readValue(key);
      if (!value)
        return parser.emitError(loc) << encoding << " has no key '" << key << "'";
      return *value;
    });
  }

  ParseResult number(StringRef key, unsigned &value) {
    return ir::parseNumber(parser, "'" + key + "' of " + encoding, value);
  }

  ParseResult boolean(StringRef key, bool &value) {
    if (succeeded(parser.parseOptionalKeyword("true")))
      value = true;
    else if (parser.parseKeyword("false", (" or true, the value of '" + key + "'").str()))
      return failure();
    return success();
  }

  /// Bases of two dimensions.
  ParseResult bases(StringRef key, SmallVectorImpl<unsigned> &values) {
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
      size_t before = values.size();
      SMLoc loc = parser.getCurrentLocation();
      if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                         [&] { return number(key, values.emplace_back()); }))
        return failure();
      if (values.size() - before != 2)
        return parser.emitError(loc) << "the bases of '" << key << "' of " << encoding
                                     << " must all have two coordinates";
      return success();
    });
  }

  /// Emits an error if one of the keys is missing.
  ParseResult require(ArrayRef<StringRef> keys) {
    for (StringRef key : keys)
      if (!seen.contains(key))
        return parser.emitError(parser.getCurrentLocation())
               << encoding << " needs the key '" << key << "'";
    return success();
  }

private:
  AsmParser &parser;
  StringRef encoding;
  llvm::StringSet<> seen;
};

} // namespace

/// `CGALayout`, which the attributes hold as one list, two values a basis.
static layout::ClusterBases clusterBases(ArrayRef<unsigned> flat) {
  layout::ClusterBases bases;
  for (size_t i = 0; i < flat.size(); i += 2)
    bases.push_back({flat[i], flat[i + 1]});
  return bases;
}

/// How a cluster shares the memory.
static Result<void> verifyClusters(ArrayRef<unsigned> bases, unsigned splitM, unsigned splitN) {
  if (!llvm::isPowerOf2_32(splitM) || !llvm::isPowerOf2_32(splitN))
    return Failure("CTASplitM and CTASplitN must be powers of two");
  if (!bases.empty() && (splitM != 1 || splitN != 1))
    return Failure("CGALayout says what CTASplitM and CTASplitN do: one of them must go");
  return layout::verifyClusterBases(clusterBases(bases), 2);
}

Attribute TensorMemoryEncodingAttr::parse(AsmParser &parser, Type) {
  Keys keys(parser, "#ttng.tensor_memory_encoding");
  unsigned blockM = 0, blockN = 0, colStride = 0, splitM = 1, splitN = 1;
  bool twoCTAs = false, fp4Padded = false;
  SmallVector<unsigned> cga;
  auto readValue = [&](StringRef key) -> std::optional<ParseResult> {
    for (auto [name, number] : {std::pair<StringRef, unsigned *>{"blockM", &blockM},
                                {"blockN", &blockN},
                                {"colStride", &colStride},
                                {"CTASplitM", &splitM},
                                {"CTASplitN", &splitN}})
      if (key == name)
        return keys.number(key, *number);
    if (key == "CGALayout")
      return keys.bases(key, cga);
    if (key == "twoCTAs")
      return keys.boolean(key, twoCTAs);
    if (key == "fp4Padded")
      return keys.boolean(key, fp4Padded);
    return std::nullopt;
  };
  if (keys.read(readValue) || keys.require({"blockM", "blockN", "colStride"}))
    return {};
  return parser.getChecked<TensorMemoryEncodingAttr>(parser.getContext(), blockM, blockN, colStride,
                                                     ArrayRef(cga), splitM, splitN, twoCTAs,
                                                     fp4Padded);
}

/// The keys about the cluster, those that say something.
static void printClusters(ir::KeyPrinter &keys, ArrayRef<unsigned> bases, unsigned splitM,
                          unsigned splitN) {
  keys.basesIfAny("CGALayout", clusterBases(bases))
      .integerUnless(1, "CTASplitM", splitM)
      .integerUnless(1, "CTASplitN", splitN);
}

void TensorMemoryEncodingAttr::print(AsmPrinter &printer) const {
  printer << '<';
  ir::KeyPrinter keys(printer);
  keys.integer("blockM", getBlockM())
      .integer("blockN", getBlockN())
      .integer("colStride", getColStride());
  printClusters(keys, getCGALayout(), getCTASplitM(), getCTASplitN());
  keys.flag("twoCTAs", getTwoCTAs()).flag("fp4Padded", getFp4Padded());
  printer << '>';
}

LogicalResult TensorMemoryEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                               unsigned blockM, unsigned blockN, unsigned colStride,
                                               ArrayRef<unsigned> cga, unsigned splitM,
                                               unsigned splitN, bool, bool fp4Padded) {
  StringRef name = "#ttng.tensor_memory_encoding";
  if (blockM != 64 && blockM != 128)
    return emitError() << name << ": blockM is 64 or 128, not " << blockM;
  if (!llvm::isPowerOf2_32(blockN) || blockN > 512)
    return emitError() << name << ": blockN is a power of two and at most 512, not " << blockN;
  if (colStride != 1 && colStride != 2 && colStride != 4)
    return emitError() << name << ": colStride is 1, 2 or 4, not " << colStride;
  if (fp4Padded && colStride != 1)
    return emitError() << name << ": fp4Padded pads bytes itself: colStride is 1, not "
                       << colStride;
  return ir::report(name, verifyClusters(cga, splitM, splitN), emitError);
}

Attribute TensorMemoryScalesEncodingAttr::parse(AsmParser &parser, Type) {
  Keys keys(parser, "#ttng.tensor_memory_scales_encoding");
  unsigned splitM = 1, splitN = 1;
  SmallVector<unsigned> cga;
  StringRef order;
  auto readValue = [&](StringRef key) -> std::optional<ParseResult> {
    if (key == "CTASplitM")
      return keys.number(key, splitM);
    if (key == "CTASplitN")
      return keys.number(key, splitN);
    if (key == "CGALayout")
      return keys.bases(key, cga);
    if (key == "blockRepOrder")
      return parser.parseKeyword(&order);
    return std::nullopt;
  };
  if (keys.read(readValue))
    return {};
  return parser.getChecked<TensorMemoryScalesEncodingAttr>(parser.getContext(), ArrayRef(cga),
                                                           splitM, splitN, order);
}

void TensorMemoryScalesEncodingAttr::print(AsmPrinter &printer) const {
  printer << '<';
  ir::KeyPrinter keys(printer);
  printClusters(keys, getCGALayout(), getCTASplitM(), getCTASplitN());
  if (!getBlockRepOrder().empty())
    keys.key("blockRepOrder") << getBlockRepOrder();
  printer << '>';
}

LogicalResult TensorMemoryScalesEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                                     ArrayRef<unsigned> cga, unsigned splitM,
                                                     unsigned splitN, StringRef blockRepOrder) {
  StringRef name = "#ttng.tensor_memory_scales_encoding";
  if (!blockRepOrder.empty() && blockRepOrder != "kThenMn" && blockRepOrder != "mnThenK")
    return emitError() << name << ": blockRepOrder is kThenMn or mnThenK, not " << blockRepOrder;
  return ir::report(name, verifyClusters(cga, splitM, splitN), emitError);
}

//===--------------------------------------------------------------------------===//
// TensorMemorySpaceAttr
//===--------------------------------------------------------------------------===//

std::optional<unsigned> TensorMemorySpaceAttr::getLayoutRank(Attribute encoding) const {
  if (isa<TensorMemoryEncodingAttr, TensorMemoryScalesEncodingAttr>(encoding))
    return 2;
  return std::nullopt;
}

StringRef TensorMemorySpaceAttr::getEncodingKind() const { return "an encoding of tensor memory"; }

/// Blocks of the cluster along a dimension that hold different parts.
static unsigned splitAlong(unsigned dim, ArrayRef<unsigned> bases, unsigned split) {
  unsigned parts = split;
  for (size_t i = dim; i < bases.size(); i += 2)
    if (bases[i] != 0)
      parts *= 2;
  return parts;
}

LogicalResult
TensorMemorySpaceAttr::verifyTensor(Attribute encoding, ArrayRef<int64_t> shape, Type elementType,
                                    function_ref<InFlightDiagnostic()> emitError) const {
  unsigned bits = isa<tt::PointerType>(elementType) ? 64 : elementType.getIntOrFloatBitWidth();
  if (isa<TensorMemoryScalesEncodingAttr>(encoding)) {
    if (bits != 8)
      return emitError() << encoding << " is for scales, of 8 bits, not for " << elementType;
    return success();
  }
  if (bits < 8)
    return emitError() << "tensor memory holds elements of 8 bits and more, not " << elementType;
  for (int64_t size : shape)
    if (!llvm::isPowerOf2_64(size))
      return emitError() << "tensor memory needs sizes that are powers of two, got " << size;
  auto tiles = cast<TensorMemoryEncodingAttr>(encoding);
  if (bits * tiles.getColStride() > 32)
    return emitError() << "words of tensor memory have 32 bits, but an element of " << elementType
                       << " with colStride " << tiles.getColStride() << " takes "
                       << bits * tiles.getColStride();
  int64_t rows = tiles.getBlockM() * splitAlong(0, tiles.getCGALayout(), tiles.getCTASplitM());
  int64_t columns = tiles.getBlockN() * splitAlong(1, tiles.getCGALayout(), tiles.getCTASplitN());
  // A byte of memory has two elements of four bits in a place for two bytes.
  if (tiles.getFp4Padded())
    columns /= 2;
  if (shape[0] < rows || shape[1] < columns)
    return emitError() << encoding << " needs memory of at least " << rows << 'x' << columns
                       << " elements, got " << shape[0] << 'x' << shape[1];
  return success();
}

//===--------------------------------------------------------------------------===//
// TensorDescIm2ColType
//===--------------------------------------------------------------------------===//

LogicalResult TensorDescIm2ColType::verify(function_ref<InFlightDiagnostic()> emitError,
                                           RankedTensorType block) {
  if (!isa<IntegerType, FloatType>(block.getElementType()))
    return emitError() << "!ttng.tensordesc_im2col describes integers or floating-point numbers, "
                          "not "
                       << block.getElementType();
  if (block.getRank() != 2)
    return emitError() << "!ttng.tensordesc_im2col needs a block of two dimensions, pixels by "
                          "channels, got "
                       << block;
  for (int64_t size : block.getShape())
    if (size <= 0 || !llvm::isPowerOf2_64(size))
      return emitError() << "!ttng.tensordesc_im2col has a block of " << block
                         << "; every size must be a power of two";
  return success();
}

Type TensorDescIm2ColType::parse(AsmParser &parser) {
  if (parser.parseLess())
    return {};
  SMLoc start = parser.getCurrentLocation();
  RankedTensorType block = tt::parseBlock(parser, "!ttng.tensordesc_im2col");
  if (!block || parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(start); }, parser.getContext(), block);
}

void TensorDescIm2ColType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t size : getBlockType().getShape())
    printer << size << 'x';
  printer << getBlockType().getElementType();
  if (Attribute encoding = getBlockType().getEncoding())
    printer << ", " << encoding;
  printer << '>';
}
