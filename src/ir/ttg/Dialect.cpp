//===- Dialect.cpp - The ttg dialect ------------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/Dialect.h"

#include "ir/ttg/encoding/DotRules.h"
#include "ir/ttg/ops/OlderOps.h"
#include "plan/cache/PlanCache.h"
#include "target/Target.h"

#include "mlir/IR/OpImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::ttg;

#include "ir/ttg/Dialect.cpp.inc"

namespace {

/// Names layouts in the text: #blocked, #linear, #mma, #shared.
struct AliasInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    StringRef name =
        llvm::TypeSwitch<Attribute, StringRef>(attr)
            .Case<BlockedEncodingAttr>([](auto) { return "blocked"; })
            .Case<LinearEncodingAttr, GenericLinearEncodingAttr>([](auto) { return "linear"; })
            .Case<NvidiaMmaEncodingAttr, AmdMfmaEncodingAttr, AmdWmmaEncodingAttr>(
                [](auto) { return "mma"; })
            .Case<SharedMemorySpaceAttr>([](auto) { return "smem"; })
            .Case<SharedLayoutEncoding>([](auto) { return "shared"; })
            .Default(StringRef());
    if (name.empty())
      return AliasResult::NoAlias;
    os << name;
    return AliasResult::FinalAlias;
  }
};

/// All ops may be inlined anywhere, but for the tasks of warps into a task.
struct TritonGPUInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *op, Region *into, bool, IRMapping &) const final {
    return !isa<WarpSpecializeOp>(op) || !isInTask(into);
  }

private:
  static bool isInTask(Region *region) {
    Operation *parent = region->getParentOp();
    return isa<WarpSpecializeOp>(parent) || parent->getParentOfType<WarpSpecializeOp>();
  }
};

} // namespace

void TritonGPUDialect::initialize() {
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "ir/ttg/Ops.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/ttg/OlderOps.cpp.inc"
      >();
  addInterfaces<AliasInterface, TritonGPUInlinerInterface, DotRules>();
}

plan::PlanCache &TritonGPUDialect::getPlanCache(const target::Target *target) {
  const std::lock_guard lock(planCachesMutex);
  std::unique_ptr<plan::PlanCache> &plans = planCaches[target];
  if (!plans)
    plans = std::make_unique<plan::PlanCache>(target ? target->sharedMemory()
                                                     : target::ExchangeModel());
  return *plans;
}

StringRef ttg::getTargetName(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  auto value = module ? module->getAttrOfType<StringAttr>(targetAttrName) : StringAttr();
  return value ? value.getValue() : StringRef();
}

const target::Target *ttg::getTarget(Operation *op) {
  return target::Target::find(getTargetName(op));
}

layout::LinearLayout ttg::toLinearLayout(RankedTensorType type) {
  return tt::getLayoutEncoding(type).toLinearLayoutOf(type.getShape(), tt::getElementBits(type));
}

unsigned ttg::getElementsPerThread(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? toLinearLayout(tensor).inSize(layout::dims::Register) : 1;
}
