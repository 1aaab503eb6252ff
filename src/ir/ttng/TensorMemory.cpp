//===- TensorMemory.cpp - Tensors in tensor memory, as maps -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttng/TensorMemory.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttng;
using layout::LinearLayout;

/// Bases of the cluster's blocks: `CGALayout`, or what older texts have in its place.
static layout::ClusterBases getClusterBases(ArrayRef<unsigned> flat, unsigned splitM,
                                            unsigned splitN) {
  layout::ClusterBases bases;
  for (size_t i = 0; i < flat.size(); i += 2)
    bases.push_back({flat[i], flat[i + 1]});
  for (unsigned part = 1; part < splitM; part *= 2)
    bases.push_back({part, 0});
  for (unsigned part = 1; part < splitN; part *= 2)
    bases.push_back({0, part});
  return bases;
}

unsigned ttng::getTensorMemoryElementBits(ttg::MemDescType type) {
  return tt::getElementBits(type.getElementType());
}

LinearLayout ttng::toTensorMemoryLayout(ttg::MemDescType type) {
  ArrayRef<int64_t> shape = type.getShape().take_back(type.getLayoutRank());
  if (auto scales = dyn_cast<TensorMemoryScalesEncodingAttr>(type.getEncoding()))
    return layout::nvidia::scalesToLinearLayout(
        layout::shapePerBlock(shape, getClusterBases(scales.getCGALayout(), scales.getCTASplitM(),
                                                     scales.getCTASplitN())));
  auto tiles = cast<TensorMemoryEncodingAttr>(type.getEncoding());
  return toLinearLayout(
      layout::nvidia::TensorMemory{
          tiles.getBlockM(), tiles.getBlockN(), tiles.getColStride(), tiles.getTwoCTAs(),
          getClusterBases(tiles.getCGALayout(), tiles.getCTASplitM(), tiles.getCTASplitN())},
      shape);
}

unsigned ttng::getBufferColumns(ttg::MemDescType type) {
  const uint64_t bits = toTensorMemoryLayout(type).inSize(layout::nvidia::columnDim()) *
                        getTensorMemoryElementBits(type);
  return static_cast<unsigned>(llvm::divideCeil(bits, tensorMemoryWordBits));
}

unsigned ttng::getColumns(ttg::MemDescType type) {
  ArrayRef<int64_t> buffers = type.getAllocShape().drop_back(type.getLayoutRank());
  unsigned count = 1;
  for (int64_t size : buffers)
    count *= static_cast<unsigned>(size);
  return count * getBufferColumns(type);
}

bool ttng::takesHalfOfRows(ttg::MemDescType type) {
  if (!isa<TensorMemoryEncodingAttr>(type.getEncoding()))
    return false;
  constexpr unsigned upperRowsBit = 4;
  return toTensorMemoryLayout(type).basis(layout::nvidia::rowDim(), upperRowsBit) == 0;
}
