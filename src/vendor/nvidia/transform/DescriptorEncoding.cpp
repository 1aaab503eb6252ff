//===- DescriptorEncoding.cpp - Descriptors that TMA takes --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A descriptor whose blocks the tensor memory accelerator copies has a layout of shared memory in
// its type, all others have none and become pointers:
//
//     !tt.tensordesc<tensor<128x64xf16>>  ->  !tt.tensordesc<tensor<128x64xf16, #shared>>
//
// What flows through loops, branches and selects has one type, so it is decided for all of it at
// once. The accelerator takes a descriptor
//   - of 1 to 5 dimensions and elements of 1 to 8 bytes, in rows of multiples of 16 bytes;
//   - whose address and strides are known to be multiples of 16 bytes, the last stride being 1;
//   - padded with zeros, or NaN of floats of 16 bits and more;
//   - that is made outside of loops: the map of one made in a loop would change while copies use
//   it;
//   - that is made by a kernel itself: functions that stay functions have no memory for a map;
//   - that no function takes or returns: those that a kernel takes have become tensors by then;
// and whose uses are
//   - loads whose last coordinate is known to be a multiple of 16 bytes: an H200 ends a launch with
//     an illegal instruction in which one is not;
//   - stores and reductions, for which this holds, too, at coordinates that are known not to be
//     negative (loads may begin below 0), of a tensor whose rows are known to be multiples of 16
//     bytes long: an H200 writes the 16 bytes that a row ends in as a whole;
//   - reductions that it has for the type;
//   - gathers and scatters of rows of multiples of 128 bytes, 256 at most.
// Nothing can be known of what memory or a loop brings. tl.make_tensor_descriptor asks for
// addresses and strides of multiples of 16 bytes itself, and who makes the map stops the kernel
// where they are none; what stores need the kernel tests (DescriptorTests.h).
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/transform/DescriptorEncoding.h"

#include "analysis/AxisInfo.h"
#include "analysis/RegionFlow.h"
#include "vendor/nvidia/plan/TensorBox.h"
#include "vendor/nvidia/transform/DescriptorTests.h"
#include "vendor/nvidia/transform/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tilewright::vendor::nvidia {
#define GEN_PASS_DEF_TRITONNVIDIAOPTIMIZEDESCRIPTORENCODING
#include "vendor/nvidia/transform/Passes.h.inc"
} // namespace tilewright::vendor::nvidia

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor::nvidia;

/// The bytes of a block that is staged in shared memory, at most: a larger one is better accessed
/// in parts, by threads.
static constexpr int64_t maxBlockBytes = 128 * 1024;
/// Rows that are gathered one by one: their bytes are multiples of the first; as many as the
/// second.
static constexpr int64_t rowGranule = 128, maxRows = 256;

ttg::NvmmaSharedEncodingAttr vendor::nvidia::getDescriptorEncoding(RankedTensorType block) {
  constexpr int64_t widest = 128, narrowest = 32, rowsOfPattern = 8;
  const unsigned bits = tt::getStorageBits(block.getElementType());
  const int64_t rowBytes = block.getShape().back() * bits / 8;
  const int64_t rows = block.getNumElements() / block.getShape().back();
  layout::nvidia::NvmmaShared shared;
  shared.swizzlingByteWidth =
      rows >= rowsOfPattern && rowBytes >= narrowest ? std::min(widest, rowBytes) : 0;
  shared.elementBitWidth = bits;
  shared.rank = block.getRank();
  if (!verify(shared) || !verifyShape(shared, block.getShape()))
    return {};
  return ttg::NvmmaSharedEncodingAttr::get(block.getContext(), shared);
}

//===----------------------------------------------------------------------------===//
// What the accelerator takes
//===----------------------------------------------------------------------------===//

static RankedTensorType withEncoding(RankedTensorType block, Attribute encoding) {
  return RankedTensorType::get(block.getShape(), block.getElementType(), encoding);
}

static bool isBlockTaken(RankedTensorType block) {
  const unsigned bits = tt::getStorageBits(block.getElementType());
  if (bits < 8 || !getTensorMapElement(block.getElementType()) ||
      block.getNumElements() * bits / 8 > maxBlockBytes)
    return false;
  ttg::NvmmaSharedEncodingAttr encoding = getDescriptorEncoding(block);
  return encoding && bool(getTensorBox(withEncoding(block, encoding)));
}

static bool isReductionTaken(tt::DescriptorReduceKind kind, Type element) {
  using Kind = tt::DescriptorReduceKind;
  const bool isLarge = tt::getElementBits(element) >= 32;
  auto integer = dyn_cast<IntegerType>(element);
  const bool isSigned = integer && !integer.isUnsignedInteger();
  switch (kind) {
  case Kind::ADD:
    // There is no sum of signed integers of 64 bits, which is that of unsigned ones.
    return integer ? isLarge && !(isSigned && integer.getWidth() == 64)
                   : element.isF32() || element.isF16() || element.isBF16();
  case Kind::MIN:
  case Kind::MAX:
    return integer ? isLarge : element.isF16() || element.isBF16();
  case Kind::AND:
  case Kind::OR:
  case Kind::XOR:
    return integer && isLarge;
  default:
    return false;
  }
}

namespace {

class DescriptorUses {
public:
  explicit DescriptorUses(ModuleOp module) : axes(module) {}

  /// Why the accelerator does not take the descriptor, whatever its uses are; empty if it does.
  StringRef whyMakeRefused(tt::MakeTensorDescOp make) const {
    const int64_t bytes = bytesOf(make.getType());
    // Only kernels have memory for a map.
    if (!make->getParentOfType<tt::FuncOp>().isPublic())
      return "a function makes it that is not inlined";
    if (!matchPattern(make.getStrides().back(), m_One()))
      return "its last stride is not the constant 1";
    if (make.getPadding() == tt::PaddingOption::PAD_NAN && bytes < 2)
      return "elements of 8 bits are not padded by NaN";
    if (isInGranulesOrLoaded(make.getBase(), 1) &&
        llvm::all_of(make.getStrides().drop_back(),
                     [&](Value stride) { return isInGranulesOrLoaded(stride, bytes); }))
      return {};
    return "its address and strides are not known to be multiples of 16 bytes; tl.multiple_of says "
           "that they are";
  }

  /// Whether the kernel tests what is not known of the stores through the descriptor, and has them
  /// go by pointers where it does not hold. The accelerator copies blocks of other descriptors
  /// only if it is known.
  bool hasTestedStores(tt::MakeTensorDescOp make) const {
    if (!make->getParentOfType<LoopLikeOpInterface>() && isInGranules(make.getBase(), 1))
      return false;
    return llvm::all_of(make->getUsers(), [](Operation *user) {
      return !isa<arith::SelectOp, tt::DescriptorScatterOp>(user) && !passesOn(user);
    });
  }

  /// Whether rows of the tensor end where 16 bytes do: a store writes these as a whole.
  bool endsInGranules(tt::MakeTensorDescOp make) const {
    return isInGranules(make.getShape().back(), bytesOf(make.getType()));
  }

  static bool isStore(Operation *user) {
    return isa<tt::DescriptorStoreOp, tt::DescriptorReduceOp, tt::DescriptorScatterOp>(user);
  }

  bool isUseTaken(Operation *user) const {
    if (isa<arith::SelectOp>(user))
      return true;
    if (auto load = dyn_cast<tt::DescriptorLoadOp>(user))
      return isInGranules(load.getIndices().back(), bytesOf(load.getDesc().getType()));
    if (auto store = dyn_cast<tt::DescriptorStoreOp>(user))
      return isTestedStore(store.getDesc()) ||
             areStoreIndices(store.getIndices(), store.getDesc().getType());
    if (auto reduce = dyn_cast<tt::DescriptorReduceOp>(user))
      return (isTestedStore(reduce.getDesc()) ||
              areStoreIndices(reduce.getIndices(), reduce.getDesc().getType())) &&
             isReductionTaken(reduce.getKind(),
                              reduce.getDesc().getType().getBlockType().getElementType());
    if (auto gather = dyn_cast<tt::DescriptorGatherOp>(user))
      return areRowsTaken(gather.getType()) &&
             isInGranules(gather.getYOffset(), bytesOf(gather.getDesc().getType()));
    if (auto scatter = dyn_cast<tt::DescriptorScatterOp>(user))
      return areRowsTaken(scatter.getSrc().getType()) &&
             areStoreIndices(scatter.getYOffset(), scatter.getDesc().getType());
    return passesOn(user);
  }

  /// Whether the values that `op` takes flow to others as RegionFlow.h says.
  static bool passesOn(Operation *op) {
    return isa<RegionBranchOpInterface>(op) ||
           (isa<RegionBranchTerminatorOpInterface>(op) && !isa<tt::ReturnOp>(op));
  }

  /// Whether `value`, in units of `bytes` bytes, is known to be a multiple of 16 bytes; of an
  /// address they are 1.
  bool isInGranules(Value value, int64_t bytes) const {
    const int64_t unit = isa<tt::PointerType>(value.getType())
                             ? tt::getStorageBits(tt::getPointeeType(value.getType())) / 8
                             : 1;
    return axes.get(value).divisorOfAll(unit) * bytes % descriptorGranule == 0;
  }

  bool isNonNegative(Value index) const { return axes.get(index).nonNegative; }

private:
  static int64_t bytesOf(tt::TensorDescType descriptor) {
    return tt::getStorageBits(descriptor.getBlockType().getElementType()) / 8;
  }

  /// The same, or whether it is not known because it comes from memory, of which no hint of an
  /// argument tells: who makes the map looks at it.
  bool isInGranulesOrLoaded(Value value, int64_t bytes) const {
    if (isInGranules(value, bytes))
      return true;
    Operation *op = value.getDefiningOp();
    auto holds = [&](Value operand) { return isInGranulesOrLoaded(operand, bytes); };
    if (isa_and_nonnull<tt::IntToPtrOp, tt::PtrToIntOp, tt::BitcastOp, arith::ExtSIOp,
                        arith::ExtUIOp, arith::TruncIOp>(op))
      return holds(op->getOperand(0));
    if (isa_and_nonnull<arith::MulIOp>(op))
      return llvm::any_of(op->getOperands(), holds);
    if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
      return llvm::all_of(op->getOperands(), holds);
    if (auto add = dyn_cast_or_null<tt::AddPtrOp>(op))
      return holds(add.getPtr()) &&
             isInGranulesOrLoaded(add.getOffset(),
                                  tt::getStorageBits(tt::getPointeeType(add.getType())) / 8);
    return isa_and_nonnull<tt::LoadOp>(op);
  }

  bool areStoreIndices(ValueRange indices, tt::TensorDescType descriptor) const {
    return isInGranules(indices.back(), bytesOf(descriptor)) &&
           llvm::all_of(indices, [&](Value index) { return isNonNegative(index); });
  }

  bool isTestedStore(Value descriptor) const {
    auto make = descriptor.getDefiningOp<tt::MakeTensorDescOp>();
    return make && hasTestedStores(make);
  }

  static bool areRowsTaken(RankedTensorType rows) {
    const int64_t bytes = rows.getShape().back() * tt::getStorageBits(rows.getElementType()) / 8;
    return bytes % rowGranule == 0 && rows.getShape().front() <= maxRows;
  }

  transform::AxisInfoAnalysis axes;
};

/// All descriptors of a module: which of them are one, and which the accelerator takes.
class Descriptors {
public:
  explicit Descriptors(ModuleOp module) : uses(module) {
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (Value result : op->getResults())
        add(result);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          llvm::for_each(block.getArguments(), [&](Value argument) { add(argument); });
    });
    for (Value value : values)
      if (llvm::any_of(value.getUsers(), DescriptorUses::isStore))
        stored.insert(value);
    spread(stored);
    for (Value value : values)
      if (!isTaken(value))
        refused.insert(value);
    spread(refused);
  }

  void setEncodings() {
    for (Value value : values) {
      RankedTensorType block = blockOf(value);
      if (!refused.contains(value))
        value.setType(tt::TensorDescType::get(withEncoding(block, getDescriptorEncoding(block))));
    }
  }

  /// Makes the kernel test what is not known of the descriptors that are taken.
  void test() {
    for (Value value : values)
      if (auto make = value.getDefiningOp<tt::MakeTensorDescOp>(); make && !refused.contains(value))
        test(make);
  }

  /// Says which descriptors are not taken, and why.
  void remark() const {
    for (Value value : values)
      if (auto make = value.getDefiningOp<tt::MakeTensorDescOp>(); make && refused.contains(value))
        make.emitRemark() << "the blocks of this descriptor are accessed through pointers: "
                          << whyRefused(make);
  }

private:
  void test(tt::MakeTensorDescOp make) {
    if (!uses.hasTestedStores(make))
      return;
    DescriptorTests tests(make);
    const bool testsRows = !uses.endsInGranules(make);
    for (Operation *user : llvm::to_vector(make->getUsers())) {
      if (!DescriptorUses::isStore(user))
        continue;
      StoreTests unknown{.rows = testsRows};
      const ValueRange indices = getStoreIndices(user);
      for (Value index : indices)
        if (!uses.isNonNegative(index))
          unknown.nonNegative.push_back(index);
      if (!uses.isInGranules(indices.back(), tests.getElementBytes()))
        unknown.column = indices.back();
      tests.testStore(user, unknown);
    }
  }

  static ValueRange getStoreIndices(Operation *store) {
    if (auto reduce = dyn_cast<tt::DescriptorReduceOp>(store))
      return reduce.getIndices();
    return cast<tt::DescriptorStoreOp>(store).getIndices();
  }

  StringRef whyRefused(tt::MakeTensorDescOp make) const {
    if (!isBlockTaken(make.getType().getBlockType()))
      return "the tensor memory accelerator copies no blocks of this shape and type";
    if (outlivesIteration(make))
      return "it is used in a later iteration of the loop than the one that makes it; make it "
             "where "
             "it is used";
    if (StringRef reason = uses.whyMakeRefused(make); !reason.empty())
      return reason;
    return "not all of its uses are such that the tensor memory accelerator copies the blocks: "
           "they begin at columns that are multiples of 16 bytes, and stores at none that are "
           "negative, of rows that are multiples of 16 bytes long";
  }

  /// Whether the descriptor may be used in another iteration of a loop than the one that makes it.
  bool outlivesIteration(tt::MakeTensorDescOp make) const {
    llvm::SetVector<Value> reached;
    reached.insert(make);
    for (size_t i = 0; i < reached.size(); ++i)
      for (auto [from, to] : flows)
        if (from == reached[i])
          reached.insert(to);
    return llvm::any_of(reached, [&](Value value) {
      auto argument = dyn_cast<BlockArgument>(value);
      Operation *owner = argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
      return isa<LoopLikeOpInterface>(owner) && owner->isProperAncestor(make);
    });
  }

  static RankedTensorType blockOf(Value value) {
    return cast<tt::TensorDescType>(value.getType()).getBlockType();
  }

  void add(Value value) {
    auto type = dyn_cast<tt::TensorDescType>(value.getType());
    if (!type || type.getBlockType().getEncoding())
      return;
    values.push_back(value);
    for (Value incoming : transform::getIncomingValues(value))
      flows.push_back({incoming, value});
    if (auto select = value.getDefiningOp<arith::SelectOp>())
      for (Value choice : {select.getTrueValue(), select.getFalseValue()})
        flows.push_back({choice, value});
  }

  /// Adds to `set` what may be one of the descriptors in it.
  void spread(llvm::DenseSet<Value> &set) const {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto [a, b] : flows)
        if (set.contains(a) != set.contains(b)) {
          set.insert(a);
          set.insert(b);
          changed = true;
        }
    }
  }

  bool isTaken(Value value) const {
    if (!isBlockTaken(blockOf(value)))
      return false;
    if (auto make = value.getDefiningOp<tt::MakeTensorDescOp>()) {
      if (!uses.whyMakeRefused(make).empty() || outlivesIteration(make) ||
          (stored.contains(value) && !uses.endsInGranules(make) && !uses.hasTestedStores(make)))
        return false;
    } else if (!value.getDefiningOp<arith::SelectOp>() &&
               transform::getIncomingValues(value).empty()) {
      return false;
    }
    return llvm::all_of(value.getUsers(), [&](Operation *user) { return uses.isUseTaken(user); });
  }

  DescriptorUses uses;
  SmallVector<Value> values;
  /// Pairs of values that are one descriptor on some path.
  SmallVector<std::pair<Value, Value>> flows;
  llvm::DenseSet<Value> stored, refused;
};

/// Whether `type` is `block` without dimensions of size 1 at its beginning.
bool lacksDimensions(RankedTensorType type, RankedTensorType block) {
  const int64_t missing = block.getRank() - type.getRank();
  return missing > 0 && block.getShape().drop_front(missing) == type.getShape() &&
         llvm::all_of(block.getShape().take_front(missing), [](int64_t size) { return size == 1; });
}

/// A block whose first dimensions are dropped by its one user is loaded without them: then it lies
/// in memory as its user may want it there.
void dropDimensions(tt::DescriptorLoadOp load) {
  if (!load->hasOneUse() || !load.getDesc().getType().getBlockType().getEncoding())
    return;
  auto reshape = dyn_cast<tt::ReshapeOp>(*load->user_begin());
  if (!reshape || !lacksDimensions(reshape.getType(), load.getType()))
    return;
  load.getResult().setType(reshape.getType());
  reshape.replaceAllUsesWith(load.getResult());
  reshape.erase();
}

/// The same of a block that gets its first dimensions for a store.
void dropDimensions(tt::DescriptorStoreOp store) {
  auto reshape = store.getSrc().getDefiningOp<tt::ReshapeOp>();
  if (reshape && store.getDesc().getType().getBlockType().getEncoding() &&
      lacksDimensions(reshape.getSrc().getType(), reshape.getType()))
    store.getSrcMutable().assign(reshape.getSrc());
}

struct OptimizeDescriptorEncoding
    : vendor::nvidia::impl::TritonNvidiaOptimizeDescriptorEncodingBase<OptimizeDescriptorEncoding> {
  void runOnOperation() override {
    Descriptors descriptors(getOperation());
    descriptors.remark();
    descriptors.setEncodings();
    descriptors.test();
    SmallVector<tt::DescriptorLoadOp> loads;
    getOperation().walk([&](tt::DescriptorLoadOp load) { loads.push_back(load); });
    for (tt::DescriptorLoadOp load : loads)
      dropDimensions(load);
    getOperation().walk([](tt::DescriptorStoreOp store) { dropDimensions(store); });
  }
};

} // namespace
