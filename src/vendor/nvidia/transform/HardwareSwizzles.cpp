//===- HardwareSwizzles.cpp - Swizzles that are the hardware's too ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// wgmma swizzles by bits of the address, so a tile that it reads begins where the pattern does.
// ttg.swizzled_shared says nothing of where a tile begins. Where its map is that of an
// ttg.nvmma_shared, which does, memory that products of warpgroups read gets that one:
//
//     swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8}>, 64 columns of f16
//     nvmma_shared<{swizzlingByteWidth = 128, elementBitWidth = 16}>
//
// An encoding is exchanged in all types at once, since views of one piece of memory agree on it. So
// all of a module's are, or none.
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/query/MatrixUnits.h"
#include "vendor/nvidia/transform/Passes.h"

#include "mlir/IR/AttrTypeSubElements.h"

namespace tilewright::vendor::nvidia {
#define GEN_PASS_DEF_NVIDIAHARDWARESWIZZLES
#include "vendor/nvidia/transform/Passes.h.inc"
} // namespace tilewright::vendor::nvidia

using namespace mlir;
using namespace tilewright;

namespace {

bool isSwizzled(Type type) {
  auto memory = dyn_cast<ttg::MemDescType>(type);
  return memory && isa<ttg::SwizzledSharedEncodingAttr>(memory.getEncoding());
}

/// The encoding that wgmma reads with the map of `type`; null where there is none.
Attribute getHardwareEncoding(ttg::MemDescType type) {
  ArrayRef<int64_t> shape = type.getLayoutShape();
  if (shape.size() != 2)
    return {};
  auto swizzled = cast<ttg::SwizzledSharedEncodingAttr>(type.getEncoding());
  const bool isLastContiguous = swizzled.getLayout().order.front() == 1;
  Attribute encoding = ttg::getSharedOperandEncoding(
      type.getContext(), shape, type.getElementType().getIntOrFloatBitWidth(), isLastContiguous);
  if (!encoding)
    return {};
  auto exchanged =
      ttg::MemDescType::get(type.getShape(), type.getElementType(), encoding, type.getMemorySpace(),
                            type.getMutableMemory(), type.getAllocShape());
  return exchanged.toLinearLayout() == type.toLinearLayout() ? encoding : Attribute();
}

class HardwareSwizzles : public vendor::nvidia::impl::NvidiaHardwareSwizzlesBase<HardwareSwizzles> {
public:
  void runOnOperation() override {
    const bool isRead = getOperation()
                            ->walk([](ttng::WarpGroupDotOp dot) {
                              return llvm::any_of(dot->getOperandTypes(), isSwizzled)
                                         ? WalkResult::interrupt()
                                         : WalkResult::advance();
                            })
                            .wasInterrupted();
    if (!isRead || !findExchanges())
      return;
    AttrTypeReplacer replacer;
    replacer.addReplacement([&](ttg::SwizzledSharedEncodingAttr encoding) -> Attribute {
      Attribute exchanged = exchanges.lookup(encoding);
      return exchanged ? exchanged : encoding;
    });
    replacer.recursivelyReplaceElementsIn(getOperation(), /*replaceAttrs=*/true,
                                          /*replaceLocs=*/false, /*replaceTypes=*/true);
  }

private:
  /// Whether each encoding of the module has one other for all its types.
  bool findExchanges() {
    auto find = [&](Type type) {
      if (!isSwizzled(type))
        return true;
      auto memory = cast<ttg::MemDescType>(type);
      Attribute found = getHardwareEncoding(memory);
      auto [entry, isNew] = exchanges.try_emplace(memory.getEncoding(), found);
      return found && entry->second == found;
    };
    return !getOperation()
                ->walk([&](Operation *op) {
                  bool all = llvm::all_of(op->getResultTypes(), find);
                  for (Region &region : op->getRegions())
                    for (Block &block : region)
                      all = all && llvm::all_of(block.getArgumentTypes(), find);
                  return all ? WalkResult::advance() : WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  /// By swizzled encodings.
  DenseMap<Attribute, Attribute> exchanges;
};

} // namespace
