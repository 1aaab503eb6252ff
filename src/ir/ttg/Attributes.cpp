//===- Attributes.cpp - The encodings of ttg ----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"

#include "layout/SharedEncodings.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;

#define GET_ATTRDEF_CLASSES
#include "ir/ttg/Attrs.cpp.inc"

void TritonGPUDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/ttg/Attrs.cpp.inc"
      >();
}

//===--------------------------------------------------------------------------===//
// Reading `<{key = value, ..}>`
//===--------------------------------------------------------------------------===//

namespace {

/// The dictionary of an encoding: every key is asked for once, what is left is unknown.
class KeyReader {
public:
  KeyReader(AsmParser &parser, StringRef encoding)
      : parser(parser), encoding(encoding), loc(parser.getCurrentLocation()) {}

  /// Reads `<{ .. }>`.
  LogicalResult open() {
    DictionaryAttr dictionary;
    if (parser.parseLess() || parser.parseAttribute(dictionary) || parser.parseGreater())
      return failure();
    for (NamedAttribute entry : dictionary)
      entries.insert({entry.getName().getValue(), entry.getValue()});
    return success();
  }

  LogicalResult integer(StringRef key, unsigned &value) {
    Attribute attr = take(key);
    if (!attr)
      return missing(key);
    auto number = dyn_cast<IntegerAttr>(attr);
    if (!number || number.getValue().getSignificantBits() > 32 || number.getValue().isNegative())
      return parser.emitError(loc)
             << "'" << key << "' of #ttg." << encoding << " must be a number that is not negative";
    value = number.getValue().getZExtValue();
    return success();
  }

  LogicalResult integers(StringRef key, SmallVectorImpl<unsigned> &values) {
    Attribute attr = take(key);
    if (!attr)
      return missing(key);
    SmallVector<int32_t> signedValues;
    if (failed(numbers(key, attr, signedValues)))
      return failure();
    for (int32_t value : signedValues) {
      if (value < 0)
        return parser.emitError(loc)
               << "'" << key << "' of #ttg." << encoding << " has a negative entry";
      values.push_back(value);
    }
    return success();
  }

  /// A list of bases, `[[..], ..]`; each must have the same number of coordinates. `rank` is
  /// that number, or 0 where it is not known yet.
  LogicalResult bases(StringRef key, SmallVectorImpl<int32_t> &values, unsigned &rank,
                      bool optional) {
    Attribute attr = take(key);
    if (!attr)
      return optional ? success() : missing(key);
    auto list = dyn_cast<ArrayAttr>(attr);
    if (!list)
      return parser.emitError(loc) << "'" << key << "' of #ttg." << encoding
                                   << " must be a list of bases such as [[0, 1], [1, 0]]";
    for (Attribute entry : list) {
      size_t before = values.size();
      if (failed(numbers(key, entry, values)))
        return failure();
      unsigned size = values.size() - before;
      if (size == 0 || (rank != 0 && size != rank))
        return parser.emitError(loc) << "the bases of '" << key << "' of #ttg." << encoding
                                     << " must all have one coordinate a dimension";
      rank = size;
    }
    return success();
  }

  Attribute take(StringRef key) {
    auto found = entries.find(key);
    if (found == entries.end())
      return {};
    Attribute attr = found->second;
    entries.erase(found);
    return attr;
  }

  LogicalResult missing(StringRef key) {
    return parser.emitError(loc) << "#ttg." << encoding << " needs the key '" << key << "'";
  }

  /// Complains of keys that nobody asked for.
  LogicalResult close() {
    if (entries.empty())
      return success();
    StringRef first = entries.begin()->first;
    for (const auto &entry : entries)
      first = std::min(first, entry.first);
    return parser.emitError(loc) << "#ttg." << encoding << " has no key '" << first << "'";
  }

private:
  LogicalResult numbers(StringRef key, Attribute attr, SmallVectorImpl<int32_t> &values) {
    auto list = dyn_cast<ArrayAttr>(attr);
    if (!list)
      return parser.emitError(loc)
             << "'" << key << "' of #ttg." << encoding << " must be a list of numbers";
    for (Attribute entry : list) {
      auto number = dyn_cast<IntegerAttr>(entry);
      if (!number || number.getValue().getSignificantBits() > 32)
        return parser.emitError(loc)
               << "'" << key << "' of #ttg." << encoding << " must hold 32-bit numbers";
      values.push_back(number.getValue().getSExtValue());
    }
    return success();
  }

  AsmParser &parser;
  StringRef encoding;
  SMLoc loc;
  llvm::SmallDenseMap<StringRef, Attribute, 8> entries;
};

} // namespace

template <typename T> static void printList(AsmPrinter &printer, StringRef key, ArrayRef<T> list) {
  printer << key << " = [";
  llvm::interleaveComma(list, printer);
  printer << ']';
}

static void printBases(AsmPrinter &printer, StringRef key, ArrayRef<int32_t> bases, unsigned rank) {
  printer << key << " = [";
  for (size_t i = 0; i < bases.size(); i += rank) {
    printer << (i ? ", [" : "[");
    llvm::interleaveComma(bases.slice(i, rank), printer);
    printer << ']';
  }
  printer << ']';
}

/// Bases from a flat list; the inverse of how the attributes store them.
static std::vector<std::vector<unsigned>> unflatten(ArrayRef<int32_t> flat, unsigned rank) {
  std::vector<std::vector<unsigned>> bases;
  for (size_t i = 0; i < flat.size(); i += rank)
    bases.emplace_back(flat.begin() + i, flat.begin() + i + rank);
  return bases;
}

/// Passes on what the layout library has to say against an encoding's parameters.
static LogicalResult report(StringRef encoding, const std::string &complaint,
                            function_ref<InFlightDiagnostic()> emitError) {
  if (complaint.empty())
    return success();
  return emitError() << "#ttg." << encoding << ": " << complaint;
}

/// Complains where the tensor's rank is not the encoding's.
static LogicalResult verifyRank(unsigned rank, ArrayRef<int64_t> shape, Attribute encoding,
                                function_ref<InFlightDiagnostic()> emitError) {
  if (shape.size() == rank)
    return success();
  return emitError() << encoding << " describes tensors of rank " << rank << ", not of rank "
                     << shape.size();
}

/// The bases of a permuted tensor: coordinate i of the result is coordinate order[i].
static SmallVector<int32_t> permuteBases(ArrayRef<int32_t> flat, ArrayRef<int32_t> order) {
  SmallVector<int32_t> result;
  for (size_t i = 0; i < flat.size(); i += order.size())
    for (int32_t dim : order)
      result.push_back(flat[i + dim]);
  return result;
}

//===--------------------------------------------------------------------------===//
// BlockedEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute BlockedEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "blocked");
  SmallVector<unsigned> sizes, threads, warps, order;
  SmallVector<int32_t> cga;
  unsigned rank = 0;
  if (failed(reader.open()) || failed(reader.integers("sizePerThread", sizes)) ||
      failed(reader.integers("threadsPerWarp", threads)) ||
      failed(reader.integers("warpsPerCTA", warps)) || failed(reader.integers("order", order)) ||
      failed(reader.bases("CGALayout", cga, rank = order.size(), /*optional=*/true)) ||
      failed(reader.close()))
    return {};
  return parser.getChecked<BlockedEncodingAttr>(parser.getContext(), sizes, threads, warps, order,
                                                cga);
}

void BlockedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{";
  printList(printer, "sizePerThread", getSizePerThread());
  printer << ", ";
  printList(printer, "threadsPerWarp", getThreadsPerWarp());
  printer << ", ";
  printList(printer, "warpsPerCTA", getWarpsPerCTA());
  printer << ", ";
  printList(printer, "order", getOrder());
  if (!getCGALayout().empty()) {
    printer << ", ";
    printBases(printer, "CGALayout", getCGALayout(), getRank());
  }
  printer << "}>";
}

static layout::Blocked describeBlocked(ArrayRef<unsigned> sizes, ArrayRef<unsigned> threads,
                                       ArrayRef<unsigned> warps, ArrayRef<unsigned> order,
                                       ArrayRef<int32_t> cga) {
  return {sizes.vec(), threads.vec(), warps.vec(), order.vec(), unflatten(cga, order.size())};
}

LogicalResult BlockedEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                          ArrayRef<unsigned> sizes, ArrayRef<unsigned> threads,
                                          ArrayRef<unsigned> warps, ArrayRef<unsigned> order,
                                          ArrayRef<int32_t> cga) {
  if (order.empty())
    return emitError() << "#ttg.blocked needs at least one dimension";
  return report("blocked",
                layout::verify(describeBlocked(sizes, threads, warps, order, cga), order.size()),
                emitError);
}

LogicalResult
BlockedEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                    function_ref<InFlightDiagnostic()> emitError) const {
  return verifyRank(getRank(), shape, *this, emitError);
}

unsigned BlockedEncodingAttr::getRank() const { return getOrder().size(); }

layout::LinearLayout BlockedEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return layout::toLinearLayout(describeBlocked(getSizePerThread(), getThreadsPerWarp(),
                                                getWarpsPerCTA(), getOrder(), getCGALayout()),
                                shape);
}

Attribute BlockedEncodingAttr::inferReduce(unsigned axis) const {
  return SliceEncodingAttr::get(axis, cast<tt::LayoutEncoding>(Attribute(*this)));
}

// A slice names its parent, so only a slice knows what it looks like with the dimension back.
Attribute BlockedEncodingAttr::inferExpandDims(unsigned) const { return {}; }

Attribute BlockedEncodingAttr::inferTrans(ArrayRef<int32_t> order) const {
  auto permuted = [&](ArrayRef<unsigned> list) {
    return llvm::map_to_vector(order, [&](int32_t dim) { return list[dim]; });
  };
  SmallVector<unsigned> inverse(order.size());
  for (auto [to, from] : llvm::enumerate(order))
    inverse[from] = to;
  auto newOrder = llvm::map_to_vector(getOrder(), [&](unsigned dim) { return inverse[dim]; });
  return get(getContext(), permuted(getSizePerThread()), permuted(getThreadsPerWarp()),
             permuted(getWarpsPerCTA()), newOrder, permuteBases(getCGALayout(), order));
}

BlockedEncodingAttr BlockedEncodingAttr::getCovering(MLIRContext *context, ArrayRef<int64_t> shape,
                                                     ArrayRef<unsigned> sizePerThread,
                                                     ArrayRef<unsigned> order, unsigned numWarps,
                                                     unsigned lanes) {
  // Deal lanes, then warps to the dimensions in order, each as many as it has work for; what is
  // left over replicates along the slowest dimension.
  SmallVector<unsigned> threads(order.size(), 1), warps(order.size(), 1);
  unsigned lanesLeft = lanes, warpsLeft = numWarps;
  for (unsigned dim : order) {
    uint64_t wanted = std::max<int64_t>(1, shape[dim] / sizePerThread[dim]);
    threads[dim] = std::min<uint64_t>(lanesLeft, wanted);
    warps[dim] = std::min<uint64_t>(warpsLeft, wanted / threads[dim]);
    lanesLeft /= threads[dim];
    warpsLeft /= warps[dim];
  }
  threads[order.back()] *= lanesLeft;
  warps[order.back()] *= warpsLeft;
  return get(context, sizePerThread, threads, warps, order);
}

//===--------------------------------------------------------------------------===//
// SliceEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute SliceEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "slice");
  SMLoc loc = parser.getCurrentLocation();
  unsigned dim = 0;
  if (failed(reader.open()) || failed(reader.integer("dim", dim)))
    return {};
  Attribute parent = reader.take("parent");
  if (!parent) {
    (void)reader.missing("parent");
    return {};
  }
  auto layout = dyn_cast<tt::LayoutEncoding>(parent);
  if (!layout) {
    parser.emitError(loc) << "'parent' of #ttg.slice must be a layout of tensors, got " << parent;
    return {};
  }
  if (failed(reader.close()))
    return {};
  return parser.getChecked<SliceEncodingAttr>(parser.getContext(), dim, layout);
}

void SliceEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{dim = " << getDim() << ", parent = " << getParent() << "}>";
}

LogicalResult SliceEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned dim,
                                        tt::LayoutEncoding parent) {
  if (parent.getRank() < 2)
    return emitError() << "#ttg.slice needs a parent of rank 2 or more";
  if (dim >= parent.getRank())
    return emitError() << "'dim' of #ttg.slice is " << dim
                       << ", but its parent has dimensions 0 .. " << parent.getRank() - 1;
  return success();
}

LogicalResult
SliceEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                  function_ref<InFlightDiagnostic()> emitError) const {
  return verifyRank(getRank(), shape, *this, emitError);
}

unsigned SliceEncodingAttr::getRank() const { return getParent().getRank() - 1; }

layout::LinearLayout SliceEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  std::vector<int64_t> parentShape = layout::sliceParentShape(shape, getDim());
  return layout::slice(getParent().toLinearLayout(parentShape), getDim());
}

Attribute SliceEncodingAttr::inferReduce(unsigned axis) const {
  return SliceEncodingAttr::get(axis, cast<tt::LayoutEncoding>(Attribute(*this)));
}

Attribute SliceEncodingAttr::inferExpandDims(unsigned axis) const {
  return axis == getDim() ? Attribute(getParent()) : Attribute();
}

Attribute SliceEncodingAttr::inferTrans(ArrayRef<int32_t> order) const {
  // The parent is permuted alike, its left-out dimension staying where it is.
  SmallVector<int32_t> parentOrder;
  for (int32_t dim : order)
    parentOrder.push_back(dim >= static_cast<int32_t>(getDim()) ? dim + 1 : dim);
  parentOrder.insert(parentOrder.begin() + getDim(), getDim());
  Attribute parent = getParent().inferTrans(parentOrder);
  if (!parent)
    return {};
  return SliceEncodingAttr::get(getDim(), cast<tt::LayoutEncoding>(parent));
}

//===--------------------------------------------------------------------------===//
// LinearEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute LinearEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "linear");
  unsigned rank = 0;
  SmallVector<int32_t> registers, lanes, warps, blocks;
  if (failed(reader.open()) || failed(reader.bases("register", registers, rank, false)) ||
      failed(reader.bases("lane", lanes, rank, false)) ||
      failed(reader.bases("warp", warps, rank, false)) ||
      failed(reader.bases("block", blocks, rank, false)) || failed(reader.close()))
    return {};
  return parser.getChecked<LinearEncodingAttr>(parser.getContext(), rank, registers, lanes, warps,
                                               blocks);
}

void LinearEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{";
  printBases(printer, "register", getRegisterBases(), getRank());
  printer << ", ";
  printBases(printer, "lane", getLaneBases(), getRank());
  printer << ", ";
  printBases(printer, "warp", getWarpBases(), getRank());
  printer << ", ";
  printBases(printer, "block", getBlockBases(), getRank());
  printer << "}>";
}

static layout::Linear describeLinear(unsigned rank, ArrayRef<int32_t> registers,
                                     ArrayRef<int32_t> lanes, ArrayRef<int32_t> warps,
                                     ArrayRef<int32_t> blocks) {
  return {unflatten(registers, rank), unflatten(lanes, rank), unflatten(warps, rank),
          unflatten(blocks, rank)};
}

LogicalResult LinearEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                         unsigned rank, ArrayRef<int32_t> registers,
                                         ArrayRef<int32_t> lanes, ArrayRef<int32_t> warps,
                                         ArrayRef<int32_t> blocks) {
  if (rank == 0)
    return emitError() << "#ttg.linear needs a basis: a layout without any is not supported";
  for (ArrayRef<int32_t> flat : {registers, lanes, warps, blocks})
    if (llvm::any_of(flat, [](int32_t value) { return value < 0; }))
      return emitError() << "#ttg.linear: a basis has a negative coordinate";
  return report("linear",
                layout::verify(describeLinear(rank, registers, lanes, warps, blocks), rank),
                emitError);
}

LogicalResult
LinearEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                   function_ref<InFlightDiagnostic()> emitError) const {
  return verifyRank(getRank(), shape, *this, emitError);
}

layout::LinearLayout LinearEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return layout::toLinearLayout(describeLinear(getRank(), getRegisterBases(), getLaneBases(),
                                               getWarpBases(), getBlockBases()),
                                shape);
}

Attribute LinearEncodingAttr::inferReduce(unsigned axis) const {
  return SliceEncodingAttr::get(axis, cast<tt::LayoutEncoding>(Attribute(*this)));
}

Attribute LinearEncodingAttr::inferExpandDims(unsigned axis) const {
  auto withZero = [&](ArrayRef<int32_t> flat) {
    SmallVector<int32_t> result;
    for (size_t i = 0; i < flat.size(); i += getRank()) {
      SmallVector<int32_t> basis(flat.slice(i, getRank()));
      basis.insert(basis.begin() + axis, 0);
      result.append(basis);
    }
    return result;
  };
  return get(getContext(), getRank() + 1, withZero(getRegisterBases()), withZero(getLaneBases()),
             withZero(getWarpBases()), withZero(getBlockBases()));
}

Attribute LinearEncodingAttr::inferTrans(ArrayRef<int32_t> order) const {
  return get(getContext(), getRank(), permuteBases(getRegisterBases(), order),
             permuteBases(getLaneBases(), order), permuteBases(getWarpBases(), order),
             permuteBases(getBlockBases(), order));
}

LinearEncodingAttr LinearEncodingAttr::get(MLIRContext *context,
                                           const layout::LinearLayout &layout) {
  unsigned rank = layout.outs().size();
  auto flat = [&](layout::Dim in) {
    SmallVector<int32_t> result;
    for (uint64_t basis : layout.bases(in))
      for (const layout::DimValue &value : layout.unpackOutput(basis))
        result.push_back(value.value);
    return result;
  };
  return get(context, rank, flat(layout::dims::Register), flat(layout::dims::Lane),
             flat(layout::dims::Warp), flat(layout::dims::Block));
}

//===--------------------------------------------------------------------------===//
// SwizzledSharedEncodingAttr
//===--------------------------------------------------------------------------===//

Attribute SwizzledSharedEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "swizzled_shared");
  unsigned vec = 0, perPhase = 0, maxPhase = 0, rank = 0;
  SmallVector<unsigned> order;
  SmallVector<int32_t> cga;
  if (failed(reader.open()) || failed(reader.integer("vec", vec)) ||
      failed(reader.integer("perPhase", perPhase)) ||
      failed(reader.integer("maxPhase", maxPhase)) || failed(reader.integers("order", order)) ||
      failed(reader.bases("CGALayout", cga, rank = order.size(), /*optional=*/true)) ||
      failed(reader.close()))
    return {};
  return parser.getChecked<SwizzledSharedEncodingAttr>(parser.getContext(), vec, perPhase, maxPhase,
                                                       order, cga);
}

void SwizzledSharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{vec = " << getVec() << ", perPhase = " << getPerPhase()
          << ", maxPhase = " << getMaxPhase() << ", ";
  printList(printer, "order", getOrder());
  if (!getCGALayout().empty()) {
    printer << ", ";
    printBases(printer, "CGALayout", getCGALayout(), getOrder().size());
  }
  printer << "}>";
}

static layout::SwizzledShared describeSwizzled(unsigned vec, unsigned perPhase, unsigned maxPhase,
                                               ArrayRef<unsigned> order, ArrayRef<int32_t> cga) {
  return {vec, perPhase, maxPhase, order.vec(), unflatten(cga, order.size())};
}

LogicalResult SwizzledSharedEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                                 unsigned vec, unsigned perPhase, unsigned maxPhase,
                                                 ArrayRef<unsigned> order, ArrayRef<int32_t> cga) {
  if (order.empty())
    return emitError() << "#ttg.swizzled_shared needs at least one dimension";
  return report("swizzled_shared",
                layout::verify(describeSwizzled(vec, perPhase, maxPhase, order, cga), order.size()),
                emitError);
}

layout::LinearLayout SwizzledSharedEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) {
  return layout::toLinearLayout(
      describeSwizzled(getVec(), getPerPhase(), getMaxPhase(), getOrder(), getCGALayout()), shape);
}
