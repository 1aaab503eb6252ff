//===- Asynchronous.cpp - Copies and products that complete later ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An operation is done when a wait needs it, no earlier. Its destination is undefined until then,
// and its sources are read when it is done: a program that overwrites them too early gets other
// results.
//
//===--------------------------------------------------------------------------===//

#include "interpret/GlobalAccess.h"
#include "interpret/Products.h"
#include "interpret/SharedMemory.h"

#include "ir/tt/Dialect.h"
#include "ir/ttg/Dialect.h"
#include "ir/ttng/Dialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::interpret;

static SmallVector<int64_t> integersOf(Machine &machine, ValueRange values, Operation *op) {
  SmallVector<int64_t> numbers;
  for (Value value : values)
    numbers.push_back(machine.integer(value, op));
  return numbers;
}

//===--------------------------------------------------------------------------===//
// Copies of pointers
//===--------------------------------------------------------------------------===//

static void copyElements(Machine &machine, ttg::AsyncCopyGlobalToLocalOp op) {
  const TensorPtr pointers = machine.tensor(op.getSrc());
  const TensorPtr mask = op.getMask() ? machine.tensor(op.getMask()) : nullptr;
  const View to = machine.view(op.getResult());
  const TensorPtr other = op.getOther() ? machine.tensor(op.getOther()) : makeScalar(to.element, 0);
  forget(to);
  machine.pending().copies.push_back([=, &machine]() mutable {
    writeView(to, *loadElements(machine, op, *pointers, mask.get(), other.get(), to.element));
  });
}

static void commitCopies(Machine &machine, ttg::AsyncCommitGroupOp) {
  machine.pending().copyGroups.push_back(std::exchange(machine.pending().copies, {}));
}

static void awaitCopies(Machine &machine, ttg::AsyncWaitOp op) {
  auto &groups = machine.pending().copyGroups;
  while (groups.size() > op.getNum()) {
    for (Work &work : groups.front())
      work();
    groups.pop_front();
  }
}

//===--------------------------------------------------------------------------===//
// Barriers
//===--------------------------------------------------------------------------===//

static void makeBarrier(Machine &machine, ttng::InitBarrierOp op) {
  Barrier &barrier = barrierOf(machine.view(op.getAlloc()));
  barrier = {};
  barrier.count = barrier.pending = op.getCount();
}

static void expectBytes(Machine &machine, ttng::BarrierExpectOp op) {
  if (!machine.truth(op.getPred(), op))
    return;
  Barrier &barrier = barrierOf(machine.view(op.getAlloc()));
  barrier.expectedBytes += op.getSize();
  barrier.arrive(1);
}

static void arrive(Machine &machine, ttng::ArriveBarrierOp op) {
  if (op.getPred() && !machine.truth(op.getPred(), op))
    return;
  const unsigned times = op.getPerWarp() ? ttg::getNumWarps(op) : 1;
  barrierOf(machine.view(op.getAlloc())).arrive(op.getCount() * times);
}

static void await(Machine &machine, ttng::WaitBarrierOp op) {
  if (op.getPred() && !machine.truth(op.getPred(), op))
    return;
  const View view = machine.view(op.getAlloc());
  const auto parity = static_cast<uint64_t>(machine.integer(op.getPhase(), op)) & 1;
  machine.waitUntil(
      [&] {
        Barrier &barrier = barrierOf(view);
        // The phase of that parity has ended when the one under way has the other.
        while ((barrier.phases & 1) == parity && !barrier.late.empty()) {
          Work work = std::move(barrier.late.front());
          barrier.late.pop_front();
          work();
        }
        return (barrier.phases & 1) != parity;
      },
      op);
}

//===--------------------------------------------------------------------------===//
// Copies of blocks
//===--------------------------------------------------------------------------===//

static void loadBlockLate(Machine &machine, Operation *op, const Descriptor &descriptor,
                          BlockPlace place, const View &to, const View &barrierView) {
  if (place.pointers.size() != sizeOf(to.shape))
    return machine.refuse(op, "of a block of another size");
  forget(to);
  const auto bytes = static_cast<int64_t>(sizeOf(to.shape) * bytesOf(to.element));
  barrierOf(barrierView).late.push_back([=, &machine, place = std::move(place)] {
    writeView(to, *loadBlock(machine, op, descriptor, place));
    barrierOf(barrierView).complete(bytes);
  });
}

static void copyBlock(Machine &machine, ttng::AsyncTMACopyGlobalToLocalOp op) {
  auto type = dyn_cast<tt::TensorDescType>(op.getDesc().getType());
  if (!type || !op.getOffsets().empty() || op.getMulticast())
    return machine.refuse(op, "of patches, or to several blocks");
  if (!machine.truth(op.getPred(), op))
    return;
  const Descriptor descriptor = machine.descriptor(op.getDesc());
  loadBlockLate(machine, op, descriptor,
                placeBlock(descriptor, type.getBlockType().getShape(),
                           integersOf(machine, op.getCoord(), op), op.getContext()),
                machine.view(op.getResult()), machine.view(op.getBarrier()));
}

static void gatherRows(Machine &machine, ttng::AsyncTMAGatherOp op) {
  if (!machine.truth(op.getPred(), op))
    return;
  const Descriptor descriptor = machine.descriptor(op.getDesc());
  const View to = machine.view(op.getResult());
  loadBlockLate(machine, op, descriptor,
                placeRows(descriptor, to.shape, *machine.tensor(op.getXOffsets()),
                          machine.integer(op.getYOffset(), op), op.getContext()),
                to, machine.view(op.getBarrier()));
}

static void storeBlock(Machine &machine, ttng::AsyncTMACopyLocalToGlobalOp op) {
  const View from = machine.view(op.getSrc());
  const BlockPlace place =
      placeBlock(machine.descriptor(op.getDesc()), op.getDesc().getType().getBlockType().getShape(),
                 integersOf(machine, op.getCoord(), op), op.getContext());
  if (place.pointers.size() != sizeOf(from.shape))
    return machine.refuse(op, "of a block of another size");
  machine.pending().stores.push_back([=, &machine] {
    storeElements(machine, op, place.pointers, &place.inside, *readView(from));
  });
}

static void scatterRows(Machine &machine, ttng::AsyncTMAScatterOp op) {
  const View from = machine.view(op.getSrc());
  const BlockPlace place =
      placeRows(machine.descriptor(op.getDesc()), from.shape, *machine.tensor(op.getXOffsets()),
                machine.integer(op.getYOffset(), op), op.getContext());
  machine.pending().stores.push_back([=, &machine] {
    storeElements(machine, op, place.pointers, &place.inside, *readView(from));
  });
}

static void awaitStores(Machine &machine, ttng::TMAStoreWaitOp op) {
  auto &stores = machine.pending().stores;
  while (stores.size() > op.getPendings()) {
    Work work = std::move(stores.front());
    stores.pop_front();
    work();
  }
}

//===--------------------------------------------------------------------------===//
// Products
//===--------------------------------------------------------------------------===//

/// The operand of a product, in registers or in shared memory, read when the product is done.
static std::function<TensorPtr()> operandOf(Machine &machine, Value value) {
  const Datum datum = machine.get(value);
  if (const View *view = std::get_if<View>(&datum))
    return [view = *view] { return readView(view); };
  return [tensor = machine.tensor(value)] { return tensor; };
}

static void groupDot(Machine &machine, ttng::WarpGroupDotOp op) {
  const TensorPtr result = machine.makeResult(op.getResult());
  result->setAllUndefined();
  const bool usesC = !op.getUseC() || machine.truth(op.getUseC(), op);
  const TensorPtr c = usesC ? machine.tensor(op.getC()) : std::make_shared<Tensor>(op.getType());
  Work work = [=, &machine, a = operandOf(machine, op.getA()),
               b = operandOf(machine, op.getB())]() mutable {
    *result = *multiplyAdd(machine, op, Matrix(*a()), Matrix(*b()), *c, op.getInputPrecision());
  };
  if (op.getIsAsync())
    return machine.pending().products.push_back(std::move(work));
  for (Work &earlier : std::exchange(machine.pending().products, {}))
    earlier();
  work();
}

static void awaitProducts(Machine &machine, ttng::WarpGroupDotWaitOp op) {
  auto &products = machine.pending().products;
  while (products.size() > op.getPendings()) {
    Work work = std::move(products.front());
    products.pop_front();
    work();
  }
  for (auto [output, input] : llvm::zip(op.getOutputs(), op.getInputs()))
    machine.set(output, machine.get(input));
}

/// d += a @ b, all in memory.
static void unitDot(Machine &machine, ttng::TCGen5MMAOp op) {
  if (op.getTwoCtas() || op.getMulticast())
    return machine.refuse(op, "of two blocks");
  SmallVector<View> barriers;
  for (auto [barrier, predicate] : llvm::zip(op.getBarriers(), op.getBarrierPreds()))
    if (machine.truth(predicate, op))
      barriers.push_back(machine.view(barrier));
  if (machine.truth(op.getPred(), op)) {
    const View a = machine.view(op.getA()), b = machine.view(op.getB()),
               d = machine.view(op.getD());
    const bool usesD = machine.truth(op.getUseD(), op);
    machine.issueProduct([=, &machine]() mutable {
      const Tensor c = usesD ? *readView(d) : Tensor(d.element, d.shape);
      writeView(d, *multiplyAdd(machine, op, Matrix(*readView(a)), Matrix(*readView(b)), c,
                                tt::InputPrecision::TF32));
    });
  }
  const uint64_t count = machine.countProducts();
  if (barriers.empty() && !op.getIsAsync())
    machine.doProducts(count);
  for (const View &barrier : barriers)
    barrierOf(barrier).late.push_back([=, &machine] {
      machine.doProducts(count);
      barrierOf(barrier).arrive(1);
    });
}

static void commitProducts(Machine &machine, ttng::TCGen5CommitOp op) {
  if (op.getPred() && !machine.truth(op.getPred(), op))
    return;
  const View barrier = machine.view(op.getBarrier());
  const uint64_t count = machine.countProducts();
  barrierOf(barrier).late.push_back([=, &machine] {
    machine.doProducts(count);
    barrierOf(barrier).arrive(1);
  });
}

void interpret::addAsynchronous(Handlers &handlers) {
  handlers.add<ttg::AsyncCopyGlobalToLocalOp>(copyElements);
  handlers.add<ttg::AsyncCommitGroupOp>(commitCopies);
  handlers.add<ttg::AsyncWaitOp>(awaitCopies);
  handlers.add<ttng::InitBarrierOp>(makeBarrier);
  handlers.add<ttng::BarrierExpectOp>(expectBytes);
  handlers.add<ttng::ArriveBarrierOp>(arrive);
  handlers.add<ttng::WaitBarrierOp>(await);
  // However many registers a thread has, it computes the same.
  handlers.add<ttng::SetRegistersOp>([](Machine &, ttng::SetRegistersOp) {});
  handlers.add<ttng::AsyncTMACopyGlobalToLocalOp>(copyBlock);
  handlers.add<ttng::AsyncTMAGatherOp>(gatherRows);
  handlers.add<ttng::AsyncTMACopyLocalToGlobalOp>(storeBlock);
  handlers.add<ttng::AsyncTMAScatterOp>(scatterRows);
  handlers.add<ttng::TMAStoreWaitOp>(awaitStores);
  handlers.add<ttng::WarpGroupDotOp>(groupDot);
  handlers.add<ttng::WarpGroupDotWaitOp>(awaitProducts);
  handlers.add<ttng::TCGen5MMAOp>(unitDot);
  handlers.add<ttng::TCGen5CommitOp>(commitProducts);
  handlers.addAll<ttng::InvalBarrierOp>([](Machine &, Operation *) {});
}
