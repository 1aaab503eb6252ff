//===- MemDesc.cpp - Memory descriptor types ----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;

#define GET_TYPEDEF_CLASSES
#include "ir/ttg/Types.cpp.inc"

void TritonGPUDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/ttg/Types.cpp.inc"
      >();
}

//===--------------------------------------------------------------------------===//
// Text
//===--------------------------------------------------------------------------===//

Type MemDescType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape, allocShape;
  Type elementType;
  Attribute encoding, memorySpace;
  bool isMutable = false;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseComma() || parser.parseAttribute(encoding) ||
      parser.parseComma() || parser.parseAttribute(memorySpace))
    return {};
  bool more = succeeded(parser.parseOptionalComma());
  if (more && succeeded(parser.parseOptionalKeyword("mutable"))) {
    isMutable = true;
    more = succeeded(parser.parseOptionalComma());
  }
  if (more && parser.parseDimensionList(allocShape, /*allowDynamic=*/false,
                                        /*withTrailingX=*/false))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<MemDescType>(parser.getContext(), ArrayRef(shape), elementType, encoding,
                                        memorySpace, isMutable,
                                        ArrayRef(more ? allocShape : shape));
}

void MemDescType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t size : getShape())
    printer << size << 'x';
  printer << getElementType() << ", " << getEncoding() << ", " << getMemorySpace();
  if (getMutableMemory())
    printer << ", mutable";
  if (getAllocShape() != getShape()) {
    printer << ", ";
    printer.printDimensionList(getAllocShape());
  }
  printer << '>';
}

//===--------------------------------------------------------------------------===//
// Verification
//===--------------------------------------------------------------------------===//

LogicalResult MemDescType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> shape, Type elementType, Attribute encoding,
                                  Attribute memorySpace, bool, ArrayRef<int64_t> allocShape) {
  if (shape.empty())
    return emitError() << "!ttg.memdesc needs at least one dimension";
  if (!isa<IntegerType, FloatType, tt::PointerType>(elementType))
    return emitError() << "!ttg.memdesc holds numbers or pointers, not " << elementType;
  if (allocShape.size() < shape.size())
    return emitError() << "!ttg.memdesc of " << shape.size()
                       << " dimensions is part of memory of fewer, " << allocShape.size();
  int64_t count = 1;
  for (int64_t size : allocShape)
    if (size <= 0 || size > tt::maxTensorElements || (count *= size) > tt::maxTensorElements)
      return emitError() << "!ttg.memdesc needs sizes of 1 or more, and at most "
                         << tt::maxTensorElements << " elements in all";
  for (auto [size, whole] : llvm::zip_equal(shape, allocShape.take_back(shape.size())))
    if (size <= 0 || size > whole)
      return emitError() << "!ttg.memdesc has " << size
                         << " elements along a dimension of which the memory has " << whole;
  auto space = dyn_cast<MemorySpace>(memorySpace);
  if (!space)
    return emitError() << "!ttg.memdesc needs a memory, #ttg.shared_memory or "
                          "#ttng.tensor_memory, after its encoding, got "
                       << memorySpace;
  std::optional<unsigned> rank = space.getLayoutRank(encoding);
  if (!rank)
    return emitError() << "!ttg.memdesc in " << memorySpace << " needs " << space.getEncodingKind()
                       << ", got " << encoding;
  // Besides those that the encoding lays out there may be a dimension that counts buffers.
  if (shape.size() != *rank && shape.size() != *rank + 1)
    return emitError() << "!ttg.memdesc has " << shape.size() << " dimensions, but its encoding "
                       << encoding << " lays out " << *rank
                       << "; one more, the number of buffers, may come first";
  for (int64_t size : shape.take_back(*rank))
    if (!llvm::isPowerOf2_64(size))
      return emitError() << "!ttg.memdesc needs sizes that are powers of two, got " << size
                         << "; only the number of buffers need not be one";
  return space.verifyTensor(encoding, allocShape.take_back(*rank), elementType, emitError);
}

std::optional<unsigned> SharedMemorySpaceAttr::getLayoutRank(Attribute encoding) const {
  if (auto shared = dyn_cast<SharedLayoutEncoding>(encoding))
    return shared.getRank();
  return std::nullopt;
}

StringRef SharedMemorySpaceAttr::getEncodingKind() const { return "an encoding of shared memory"; }

LogicalResult
SharedMemorySpaceAttr::verifyTensor(Attribute encoding, ArrayRef<int64_t> shape, Type elementType,
                                    function_ref<InFlightDiagnostic()> emitError) const {
  return cast<VerifiableTensorEncoding>(encoding).verifyEncoding(shape, elementType, emitError);
}

//===--------------------------------------------------------------------------===//
// Questions
//===--------------------------------------------------------------------------===//

static int64_t product(ArrayRef<int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<>());
}

int64_t MemDescType::getNumElements() const { return product(getShape()); }

bool MemDescType::inSharedMemory() const { return isa<SharedMemorySpaceAttr>(getMemorySpace()); }

unsigned MemDescType::getLayoutRank() const {
  return *cast<MemorySpace>(getMemorySpace()).getLayoutRank(getEncoding());
}

SharedLayoutEncoding MemDescType::getSharedEncoding() const {
  return cast<SharedLayoutEncoding>(getEncoding());
}

layout::LinearLayout MemDescType::toLinearLayout() const {
  return getSharedEncoding().toLinearLayout(getLayoutShape());
}

layout::LinearLayout MemDescType::toOffsets() const { return toLinearLayout().pseudoInvert(); }

uint64_t MemDescType::getBufferStride() const {
  uint64_t count = toLinearLayout().inSize(layout::dims::Offset);
  return getSharedEncoding().paddedOffset(count - 1) + 1;
}

uint64_t MemDescType::getAllocBytes() const {
  // Bits of the elements are a power of two of at least 4, but for i1, which has a byte.
  uint64_t bits = tt::getElementBits(getElementType());
  uint64_t elements = product(getAllocShape().drop_back(getLayoutRank())) * getBufferStride();
  return llvm::divideCeil(elements * (bits == 1 ? 8 : bits), 8);
}

MemDescType MemDescType::withShape(ArrayRef<int64_t> shape) const {
  return MemDescType::get(shape, getElementType(), getEncoding(), getMemorySpace(),
                          getMutableMemory(), getAllocShape());
}
