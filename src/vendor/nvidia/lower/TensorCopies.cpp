//===- TensorCopies.cpp - Lowering of the accelerator's copies ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A block is copied as boxes (TensorBox.h), one message each, which one thread sends. Rows that are
// gathered or scattered are a message each, sent by a thread that has the row's index.
//
// A descriptor is the address of its tensor map (TensorMaps.cpp).
//
//===--------------------------------------------------------------------------===//

#include "ir/ttng/Dialect.h"
#include "lower/core/Patterns.h"
#include "lower/core/blocks/Branch.h"
#include "lower/core/builder/IndexMaps.h"
#include "lower/memory/ThreadAccess.h"
#include "lower/shared/LocalTransfer.h"
#include "vendor/nvidia/lower/ElectThread.h"
#include "vendor/nvidia/lower/Intrinsics.h"
#include "vendor/nvidia/lower/NvidiaPatterns.h"
#include "vendor/nvidia/plan/TensorBox.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::lower::nvidia;
using vendor::nvidia::TensorBox;

namespace {

/// LLVM's address space of the shared memory of all blocks of a cluster.
constexpr unsigned clusterAddressSpace = 7;

//===----------------------------------------------------------------------------===//
// Boxes in shared memory
//===----------------------------------------------------------------------------===//

/// Where the accelerator has the byte of a box that is `offset` bytes after its beginning.
uint64_t swizzled(const TensorBox &box, uint64_t offset) {
  if (!box.swizzleBytes)
    return offset;
  const uint64_t chunks = box.swizzleBytes / 16;
  return offset ^ ((offset >> 7 & (chunks - 1)) << 4);
}

/// The boxes of a block in memory.
class BoxesInMemory {
public:
  /// Of memory whose last dimensions are those of `box`.
  static Result<BoxesInMemory> find(ttg::MemDescType memory, const TensorBox &box) {
    if (!memory.getBufferShape().empty())
      return Failure("with several buffers at once: pick one by ttg.memdesc_index");
    if (!memory.getSharedEncoding().isLinear() || memory.getSharedEncoding().hasPadding())
      return Failure("with memory that has holes");
    BoxesInMemory boxes(memory, box);
    if (!boxes.lieAsCopied())
      return Failure("because the layout of the memory is not that of the boxes that the "
                     "accelerator copies");
    return boxes;
  }

  /// Calls `see` with the element of the block at which each box begins, and the box's offset in
  /// bytes from the beginning of the memory.
  void forEach(llvm::function_ref<void(ArrayRef<int64_t>, uint64_t)> see) const {
    ArrayRef<int64_t> shape = memory.getShape();
    SmallVector<int64_t> start(shape.size());
    for (;;) {
      see(start, offsetOf(start));
      size_t dim = shape.size();
      while (dim > 0 && (start[dim - 1] += box.shape[dim - 1]) >= shape[dim - 1])
        start[--dim] = 0;
      if (dim == 0)
        return;
    }
  }

  const TensorBox &getBox() const { return box; }

private:
  BoxesInMemory(ttg::MemDescType memory, const TensorBox &box)
      : memory(memory), box(box), layout(memory.toLinearLayout()) {}

  uint64_t offsetOf(ArrayRef<int64_t> element) const {
    return plan::offsetOfPart(layout, element) * box.elementBytes;
  }

  /// Both are linear, so that the elements at powers of two tell all.
  bool lieAsCopied() const {
    uint64_t stride = box.elementBytes;
    SmallVector<int64_t> element(box.shape.size());
    for (size_t dim = box.shape.size(); dim-- > 0; stride *= box.shape[dim])
      for (int64_t i = 1; i < box.shape[dim]; i *= 2) {
        element.assign(box.shape.size(), 0);
        element[dim] = i;
        if (offsetOf(element) != swizzled(box, i * stride))
          return false;
      }
    return true;
  }

  ttg::MemDescType memory;
  TensorBox box;
  layout::LinearLayout layout;
};

/// The boxes of a copy between a block of a descriptor and `memory`, which may lack dimensions of
/// one element at the block's beginning; for `rows` of a descriptor of one row, if that is set.
Result<BoxesInMemory> findBoxes(tt::TensorDescType descriptor, ttg::MemDescType memory,
                                std::optional<int64_t> rows = std::nullopt) {
  RankedTensorType block = descriptor.getBlockType();
  Attribute encoding = block.getEncoding();
  ArrayRef<int64_t> shape = memory.getShape();
  ArrayRef<int64_t> leading =
      block.getShape().drop_back(std::min<size_t>(shape.size(), block.getRank()));
  const bool isBlock = block.getShape().take_back(shape.size()) == shape &&
                       llvm::all_of(leading, [](int64_t size) { return size == 1; });
  if (!rows && !isBlock && block.getRank() != memory.getRank())
    return Failure("with memory of another shape than the descriptor's block");
  Result<TensorBox> box = vendor::nvidia::getTensorBox(RankedTensorType::get(
      shape, block.getElementType(),
      encoding && memory.getRank() == block.getRank() ? encoding : memory.getEncoding()));
  if (!box)
    return Failure("with such a block: " + box.error());
  // A message is about one box of the descriptor's, also where the memory is a part of a block.
  if (!rows && !isBlock) {
    Result<TensorBox> whole = vendor::nvidia::getTensorBox(block);
    if (!whole || whole->shape != box->shape)
      return Failure("with memory for a part of the descriptor's block that is not whole boxes of "
                     "it: one message copies more");
  }
  return BoxesInMemory::find(memory, *box);
}

//===----------------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------------===//

/// A message about the box at `coordinates`, the fastest last, of the tensor with the map `map`.
struct Message {
  Value map;
  SmallVector<Value> coordinates;
  Value pointer;

  /// The map and the coordinates, as instructions have them.
  void appendTo(SmallVectorImpl<Value> &operands) const {
    operands.push_back(map);
    llvm::append_range(operands, llvm::reverse(coordinates));
  }
  std::string rank() const { return std::to_string(coordinates.size()) + "d"; }
};

void emitLoad(LoweringBuilder &e, const Message &message, Value barrier) {
  Type i1 = e.builder.getI1Type();
  // A block's own shared memory has the same addresses in its cluster's.
  auto cluster = LLVM::LLVMPointerType::get(e.builder.getContext(), clusterAddressSpace);
  Value address = e.create<LLVM::PtrToIntOp>(e.builder.getI32Type(), message.pointer);
  SmallVector<Value> operands = {e.create<LLVM::IntToPtrOp>(cluster, address), barrier};
  message.appendTo(operands);
  // No other blocks, no cache policy, no second block of a pair.
  operands.append({e.getInt(e.builder.getI16Type(), 0), e.getInt(e.builder.getI64Type(), 0),
                   e.getInt(i1, 0), e.getInt(i1, 0), e.getI32(0)});
  callIntrinsic(e, "cp.async.bulk.tensor.g2s.tile." + message.rank(), operands);
}

/// `operation`: "s2g" or "reduce.add".
void emitStore(LoweringBuilder &e, const Message &message, StringRef operation) {
  SmallVector<Value> operands = {message.pointer};
  message.appendTo(operands);
  operands.append({e.getInt(e.builder.getI64Type(), 0), e.getInt(e.builder.getI1Type(), 0)});
  callIntrinsic(e, ("cp.async.bulk.tensor." + operation + ".tile.").str() + message.rank(),
                operands);
}

/// Calls `send` with the messages for all boxes of a block.
void forEachMessage(LoweringBuilder &e, const BoxesInMemory &boxes, Value map,
                    ArrayRef<ValueRange> coordinates, LocalAddresses &addresses,
                    llvm::function_ref<void(const Message &)> send) {
  boxes.forEach([&](ArrayRef<int64_t> start, uint64_t offset) {
    Message message{map, {}, {}};
    for (ValueRange coordinate : coordinates)
      message.coordinates.push_back(coordinate[0]);
    const size_t leading = coordinates.size() - start.size();
    for (auto [dim, first] : llvm::enumerate(start))
      if (first) {
        Value &coordinate = message.coordinates[leading + dim];
        coordinate = e.create<LLVM::AddOp>(coordinate, e.getI32(first));
      }
    message.pointer = addresses.get(e.getI32(offset / boxes.getBox().elementBytes));
    send(message);
  });
}

//===----------------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------------===//

struct LoadPattern final : LoweringPattern<ttng::AsyncTMACopyGlobalToLocalOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::AsyncTMACopyGlobalToLocalOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    auto descriptor = dyn_cast<tt::TensorDescType>(op.getDesc().getType());
    if (!descriptor)
      return reject(op, rewriter, "from an image");
    if (op.getMulticast())
      return reject(op, rewriter, "to several blocks of a cluster");
    Result<BoxesInMemory> boxes = findBoxes(descriptor, op.getResult().getType());
    if (!boxes)
      return reject(op, rewriter, boxes.error());
    LocalAddresses addresses(e, op.getResult().getType(), LocalView(adaptor.getResult()));
    Value barrier = LocalAddresses(e, op.getBarrier().getType(), LocalView(adaptor.getBarrier()))
                        .get(e.getI32(0));
    emitForOneThread(e, rewriter, adaptor.getPred()[0], [&] {
      forEachMessage(e, *boxes, adaptor.getDesc()[0], adaptor.getCoord(), addresses,
                     [&](const Message &message) { emitLoad(e, message, barrier); });
    });
    rewriter.eraseOp(op);
    return success();
  }
};

/// The name of a combination in instructions.
StringRef nameOf(tt::DescriptorReduceKind kind) {
  switch (kind) {
  case tt::DescriptorReduceKind::ADD:
    return "reduce.add";
  case tt::DescriptorReduceKind::MIN:
    return "reduce.min";
  case tt::DescriptorReduceKind::MAX:
    return "reduce.max";
  case tt::DescriptorReduceKind::INC:
    return "reduce.inc";
  case tt::DescriptorReduceKind::DEC:
    return "reduce.dec";
  case tt::DescriptorReduceKind::AND:
    return "reduce.and";
  case tt::DescriptorReduceKind::OR:
    return "reduce.or";
  case tt::DescriptorReduceKind::XOR:
    return "reduce.xor";
  default:
    return {};
  }
}

StringRef operationOf(ttng::AsyncTMACopyLocalToGlobalOp) { return "s2g"; }
StringRef operationOf(ttng::AsyncTMAReduceOp op) { return nameOf(op.getKind()); }

/// Stores and reductions.
template <typename Op> struct StorePattern final : LoweringPattern<Op> {
  using LoweringPattern<Op>::LoweringPattern;

  LogicalResult matchAndRewrite(Op op, typename LoweringPattern<Op>::OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(this->context, rewriter, op.getLoc());
    const StringRef operation = operationOf(op);
    if (operation.empty())
      return this->reject(op, rewriter, "because there is no such combination");
    Result<BoxesInMemory> boxes = findBoxes(op.getDesc().getType(), op.getSrc().getType());
    if (!boxes)
      return this->reject(op, rewriter, boxes.error());
    LocalAddresses addresses(e, op.getSrc().getType(), LocalView(adaptor.getSrc()));
    emitForOneThread(e, rewriter, {}, [&] {
      forEachMessage(e, *boxes, adaptor.getDesc()[0], adaptor.getCoord(), addresses,
                     [&](const Message &message) { emitStore(e, message, operation); });
      callIntrinsic(e, "cp.async.bulk.commit.group", {});
    });
    rewriter.eraseOp(op);
    return success();
  }
};

/// All threads wait: those that have stored nothing are through at once.
struct StoreWaitPattern final : LoweringPattern<ttng::TMAStoreWaitOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::TMAStoreWaitOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    callIntrinsic(e,
                  op.getReadOnly() ? "cp.async.bulk.wait.group.read" : "cp.async.bulk.wait.group",
                  LLVM::ConstantOp::create(rewriter, op.getLoc(), rewriter.getI32Type(),
                                           static_cast<int32_t>(op.getPendings()))
                      .getResult());
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------------===//

/// The rows of a gather or scatter.
class Rows {
public:
  Rows(LoweringBuilder &e, RankedTensorType indices, ttg::MemDescType memory, LocalView view,
       const BoxesInMemory &boxes)
      : e(e), layout(ttg::toLinearLayout(indices)), addresses(e, memory, view), boxes(boxes),
        bases(getThreadBases(layout)) {}

  /// Sends the messages for all rows whose indices the thread has, `predicate` (i1, may be null)
  /// permitting.
  void send(RewriterBase &rewriter, Value map, ValueRange indices, Value column, Value predicate,
            llvm::function_ref<void(const Message &)> sendOne) {
    Value isFirst = e.testThreadBitsZero(getCopyThreads(layout, e));
    Value sends = e.andPredicates(isFirst, predicate);
    auto sendAll = [&] {
      for (ArrayRef<unsigned> access : getAccesses(layout, {}))
        sendRow(access[0], map, indices[access[0]], column, sendOne);
      return SmallVector<Value>();
    };
    if (sends)
      emitBranch(e, rewriter, sends, {}, sendAll);
    else
      sendAll();
  }

private:
  void sendRow(unsigned r, Value map, Value index, Value column,
               llvm::function_ref<void(const Message &)> sendOne) {
    uint64_t first = 0;
    for (unsigned bit = 0; r >> bit; ++bit)
      if (r >> bit & 1)
        first ^= layout.bases()[layout.inShift(layout::dims::Register) + bit];
    // The accelerator swizzles by the address: the row begins where it would without.
    Value row = e.getIndex(bases, first);
    const int64_t columns = boxes.getBox().shape.back();
    Value rowOffset = e.create<LLVM::MulOp>(row, e.getI32(columns));
    boxes.forEach([&](ArrayRef<int64_t> start, uint64_t offset) {
      Message message{map, {index, column}, {}};
      if (start[1])
        message.coordinates[1] = e.create<LLVM::AddOp>(column, e.getI32(start[1]));
      Value begin = e.getI32(offset / boxes.getBox().elementBytes);
      message.pointer = addresses.get(e.create<LLVM::AddOp>(begin, rowOffset));
      sendOne(message);
    });
  }

  LoweringBuilder &e;
  layout::LinearLayout layout;
  LocalAddresses addresses;
  const BoxesInMemory &boxes;
  ThreadBases bases;
};

/// The boxes of memory that single rows are copied to or from: as many columns wide as a message,
/// and with all rows.
Result<BoxesInMemory> findRowBoxes(tt::TensorDescType descriptor, ttg::MemDescType memory) {
  Result<BoxesInMemory> boxes = findBoxes(descriptor, memory, memory.getShape()[0]);
  if (!boxes)
    return boxes;
  const TensorBox &box = boxes->getBox();
  if (box.shape[0] != memory.getShape()[0])
    return Failure("of more than 256 rows");
  constexpr int64_t alignment = 128;
  if (box.shape[1] * box.elementBytes % alignment != 0)
    return Failure("of rows that are not multiples of 128 bytes");
  return boxes;
}

struct GatherPattern final : LoweringPattern<ttng::AsyncTMAGatherOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::AsyncTMAGatherOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    Result<BoxesInMemory> boxes = findRowBoxes(op.getDesc().getType(), op.getResult().getType());
    if (!boxes)
      return reject(op, rewriter, boxes.error());
    Value barrier = LocalAddresses(e, op.getBarrier().getType(), LocalView(adaptor.getBarrier()))
                        .get(e.getI32(0));
    Rows rows(e, cast<RankedTensorType>(op.getXOffsets().getType()), op.getResult().getType(),
              LocalView(adaptor.getResult()), *boxes);
    rows.send(rewriter, adaptor.getDesc()[0], adaptor.getXOffsets(), adaptor.getYOffset()[0],
              adaptor.getPred()[0], [&](const Message &message) { emitLoad(e, message, barrier); });
    rewriter.eraseOp(op);
    return success();
  }
};

struct ScatterPattern final : LoweringPattern<ttng::AsyncTMAScatterOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult matchAndRewrite(ttng::AsyncTMAScatterOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    LoweringBuilder e(context, rewriter, op.getLoc());
    Result<BoxesInMemory> boxes = findRowBoxes(op.getDesc().getType(), op.getSrc().getType());
    if (!boxes)
      return reject(op, rewriter, boxes.error());
    Rows rows(e, cast<RankedTensorType>(op.getXOffsets().getType()), op.getSrc().getType(),
              LocalView(adaptor.getSrc()), *boxes);
    // A row before the first is outside, but a message with a negative index ends the launch.
    rows.send(rewriter, adaptor.getDesc()[0], adaptor.getXOffsets(), adaptor.getYOffset()[0], {},
              [&](const Message &message) {
                Value isInside = e.create<LLVM::ICmpOp>(LLVM::ICmpPredicate::sge,
                                                        message.coordinates[0], e.getI32(0));
                emitBranch(e, rewriter, isInside, {}, [&] {
                  emitStore(e, message, "s2g");
                  return SmallVector<Value>();
                });
              });
    callIntrinsic(e, "cp.async.bulk.commit.group", {});
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void nvidia::addTensorCopyPatterns(RewritePatternSet &patterns, const PatternServices &services) {
  patterns
      .add<LoadPattern, StorePattern<ttng::AsyncTMACopyLocalToGlobalOp>,
           StorePattern<ttng::AsyncTMAReduceOp>, StoreWaitPattern, GatherPattern, ScatterPattern>(
          services.converter, services.context, patterns.getContext());
}
