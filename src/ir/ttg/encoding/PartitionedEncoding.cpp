//===- PartitionedEncoding.cpp - partitioned_shared ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"

#include "ir/EncodingVerification.h"
#include "ir/KeyReader.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;
using ir::KeyReader;

Attribute PartitionedSharedEncodingAttr::parse(AsmParser &parser, Type) {
  KeyReader reader(parser, "#ttg.partitioned_shared");
  unsigned partitions = 0, groups = 0, dim = 0;
  Attribute layout;
  if (failed(reader.open()) || failed(reader.integer("numPartitions", partitions)) ||
      failed(reader.integer("numGroups", groups)) || failed(reader.integer("partitionDim", dim)) ||
      failed(reader.attribute("partitionLayout", layout)) || failed(reader.close()))
    return {};
  auto shared = dyn_cast<SharedLayoutEncoding>(layout);
  if (!shared) {
    reader.error("partitionLayout") << " must be an encoding of shared memory, not " << layout;
    return {};
  }
  return parser.getChecked<PartitionedSharedEncodingAttr>(parser.getContext(), partitions, groups,
                                                          dim, shared);
}

void PartitionedSharedEncodingAttr::print(AsmPrinter &printer) const {
  printer << "<{numPartitions = " << getNumPartitions() << ", numGroups = " << getNumGroups()
          << ", partitionDim = " << getPartitionDim()
          << ", partitionLayout = " << Attribute(getPartitionLayout()) << "}>";
}

LogicalResult PartitionedSharedEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                                    unsigned partitions, unsigned groups,
                                                    unsigned dim, SharedLayoutEncoding layout) {
  StringRef name = "#ttg.partitioned_shared";
  for (auto [key, value] :
       {std::pair<StringRef, unsigned>{"numPartitions", partitions}, {"numGroups", groups}})
    if (!llvm::isPowerOf2_32(value) || value > tt::maxTensorElements)
      return emitError() << name << ": " << key << " is a power of two and at most "
                         << tt::maxTensorElements << ", not " << value;
  if (dim >= layout.getRank())
    return emitError() << name << ": partitionDim is " << dim << ", but partitionLayout has "
                       << layout.getRank() << " dimensions";
  if (!layout.isLinear())
    return emitError() << name << ": partitionLayout cannot have partitions of its own";
  return success();
}

LogicalResult
PartitionedSharedEncodingAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                                              function_ref<InFlightDiagnostic()> emitError) const {
  if (failed(ir::verifyShape(*this, getRank(), shape, emitError)))
    return failure();
  int64_t pieces = int64_t(getNumPartitions()) * getNumGroups();
  if (shape[getPartitionDim()] < pieces)
    return ir::reportShape(*this, shape,
                           Failure("dimension " + std::to_string(getPartitionDim()) +
                                   " is cut into " + std::to_string(pieces) + " pieces"),
                           emitError);
  SmallVector<int64_t> piece(shape);
  piece[getPartitionDim()] /= pieces;
  return cast<VerifiableTensorEncoding>(getPartitionLayout())
      .verifyEncoding(piece, elementType, emitError);
}

unsigned PartitionedSharedEncodingAttr::getRank() const { return getPartitionLayout().getRank(); }

bool PartitionedSharedEncodingAttr::isLinear() const { return false; }

layout::LinearLayout PartitionedSharedEncodingAttr::toLinearLayout(ArrayRef<int64_t>) const {
  llvm_unreachable("no map describes memory in several partitions; ask isLinear first");
}
