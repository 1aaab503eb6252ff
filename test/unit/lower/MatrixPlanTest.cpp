//===- MatrixPlanTest.cpp - Plans with matrix accesses, emitted and run -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The plans are made here, so that every form of access is met: each side stores or loads
// vectors, matrices or transposed matrices of every size, with rows anywhere, in one
// repetition or two, which registers or warps select. A plan is emitted as it stands and run
// on the simulator; each element must arrive.
//
// Elements are numbered. The number, without the bit that selects the repetition, is the place in
// memory: what is random is which register, lane and warp has which bit.
//
//===--------------------------------------------------------------------------===//

#include "KernelRunner.h"

#include "emit/Emit.h"
#include "ir/ttg/Dialect.h"
#include "lower/core/builder/Scratch.h"
#include "lower/layout/EmitConversion.h"
#include "plan/interpret/PlanInterpreter.h"
#include "test/support/AccessKinds.h"
#include "tilewright/Kernel.h"
#include "tilewright/layout/ConversionPlan.h"
#include "vendor/Vendors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using layout::LinearLayout;
using plan::AccessKind;
using plan::SharedPlan;
using runtime::ElementType;
using runtime::HostArray;
namespace dims = tilewright::layout::dims;

namespace {

constexpr unsigned laneBits = 5;

uint64_t bit(unsigned i) { return uint64_t(1) << i; }

/// The elements that bits of a side's place move by.
struct Side {
  AccessKind kind;
  std::vector<uint64_t> registers, lanes, warps;
  /// How many of the register bits are in one access.
  unsigned accessBits;

  uint64_t elementOf(uint64_t r, uint64_t lane, uint64_t warp) const {
    uint64_t element = 0;
    auto add = [&](const std::vector<uint64_t> &images, uint64_t place) {
      for (size_t i = 0; i < images.size(); ++i)
        element ^= place >> i & 1 ? images[i] : 0;
    };
    add(registers, r);
    add(lanes, lane);
    add(warps, warp);
    return element;
  }
};

/// Which part of a place selects the repetition.
enum class Selector { None, Registers, Warps };

struct Case {
  unsigned elementBytes;
  unsigned warpBits;
  unsigned registerBits;
  bool twice;

  unsigned elementBits() const { return registerBits + laneBits + warpBits; }
  /// The element's bit that selects the repetition: the highest.
  uint64_t roundBit() const { return twice ? bit(elementBits() - 1) : 0; }
};

Side makeSide(const Case &test, AccessKind kind, Selector selector, std::mt19937 &random) {
  Side side{kind, {}, {}, {}, 0};
  unsigned count = test.elementBits() - test.twice,
           wordBits = 2 - std::countr_zero(test.elementBytes);
  std::vector<uint64_t> low, high;
  for (unsigned i = 0; i < count; ++i)
    (i < wordBits + 2 ? low : high).push_back(bit(i));
  std::shuffle(high.begin(), high.end(), random);
  // A swizzle: high bits are XORed into each other in a way that can be undone.
  for (size_t i = 1; i < high.size(); ++i)
    high[i] ^= random() % 2 ? high[random() % i] : 0;
  auto take = [](std::vector<uint64_t> &from) {
    uint64_t taken = from.front();
    from.erase(from.begin());
    return taken;
  };
  if (kind == AccessKind::Vector) {
    side.accessBits = random() % (wordBits + 3);
    while (side.registers.size() < side.accessBits)
      side.registers.push_back(take(low));
  } else if (kind == AccessKind::Matrix) {
    while (side.registers.size() < wordBits)
      side.registers.push_back(take(low));
    side.lanes = low;
    low.clear();
  } else {
    // A word has two rows of one column.
    side.registers.push_back(take(high));
    side.lanes = {take(high), take(high)};
    side.lanes.insert(side.lanes.end(), low.begin(), low.end());
    low.clear();
  }
  if (kind != AccessKind::Vector)
    side.accessBits = wordBits + random() % (test.registerBits - wordBits - test.twice + 1) % 3;
  // The rest goes anywhere.
  std::vector<uint64_t> rest = low;
  rest.insert(rest.end(), high.begin(), high.end());
  std::shuffle(rest.begin(), rest.end(), random);
  unsigned warpsWanted = test.warpBits - (test.twice && selector == Selector::Warps);
  while (side.lanes.size() < laneBits)
    side.lanes.push_back(take(rest));
  while (side.warps.size() < warpsWanted)
    side.warps.push_back(take(rest));
  side.registers.insert(side.registers.end(), rest.begin(), rest.end());
  if (test.twice)
    (selector == Selector::Warps ? side.warps : side.registers).push_back(test.roundBit());
  return side;
}

LinearLayout mapOf(const std::vector<uint64_t> *registers, const std::vector<uint64_t> &lanes,
                   const std::vector<uint64_t> &warps, const Case &test) {
  LinearLayout::DimList ins;
  std::vector<uint64_t> bases;
  auto add = [&](layout::Dim dim, const std::vector<uint64_t> &images) {
    ins.push_back({dim, static_cast<unsigned>(images.size())});
    for (uint64_t image : images)
      bases.push_back(image & ~test.roundBit());
  };
  if (registers)
    add(dims::Register, *registers);
  add(dims::Lane, lanes);
  add(dims::Warp, warps);
  return LinearLayout::fromPacked(ins,
                                  {layout::SizedDim{dims::Offset, test.elementBits() - test.twice}},
                                  std::span<const uint64_t>(bases));
}

/// The map of the addresses that threads give: for matrices the rows that the lanes name.
LinearLayout baseOf(const Side &side, const Case &test) {
  if (side.kind == AccessKind::Vector)
    return mapOf(nullptr, side.lanes, side.warps, test);
  unsigned wordBits = 2 - std::countr_zero(test.elementBytes);
  std::vector<uint64_t> rows;
  if (side.kind == AccessKind::Matrix)
    rows.assign(side.lanes.begin() + 2, side.lanes.end());
  else
    rows = {side.registers[wordBits - 1], side.lanes[0], side.lanes[1]};
  for (unsigned i = 0; i < 2; ++i)
    rows.push_back(wordBits + i < side.accessBits ? side.registers[wordBits + i] : 0);
  return mapOf(nullptr, rows, side.warps, test);
}

/// The accesses of a repetition: one for each value of the registers that are not in it.
void listAccesses(const Side &side, const Case &test, unsigned round,
                  std::vector<plan::SharedAccess> &accesses, plan::ThreadCondition &condition) {
  uint64_t baseBits = 0;
  LinearLayout base = baseOf(side, test);
  for (uint64_t basis : base.bases())
    baseBits |= basis;
  for (uint64_t first = 0; first < bit(side.registers.size()); first += bit(side.accessBits)) {
    uint64_t element = side.elementOf(first, 0, 0);
    bool inRound = !test.twice || (element & test.roundBit() ? 1u : 0u) == round;
    if (test.twice && !side.warps.empty() && side.warps.back() == test.roundBit())
      inRound = true;
    if (!inRound)
      continue;
    element &= ~test.roundBit();
    plan::SharedAccess access;
    for (uint64_t i = 0; i < bit(side.accessBits); ++i)
      access.registers.push_back(static_cast<unsigned>(first + i));
    access.xorOffset = static_cast<uint32_t>(element & baseBits);
    access.addOffset = static_cast<uint32_t>(element & ~baseBits);
    accesses.push_back(access);
  }
  if (test.twice && !side.warps.empty() && side.warps.back() == test.roundBit())
    condition.terms.push_back({{0, 1u << (side.warps.size() - 1)}, round != 0});
}

SharedPlan makePlan(const Case &test, const Side &src, const Side &dst) {
  SharedPlan plan;
  plan.elementBytes = test.elementBytes;
  const target::ExchangeModel memory = plan::withMatrices();
  const unsigned bits = 8 * test.elementBytes;
  plan.storeAtom = &plan::atomOf(memory.stores, src.kind, bits << src.accessBits);
  plan.loadAtom = &plan::atomOf(memory.loads, dst.kind, bits << dst.accessBits);
  plan.storeVector = 1u << src.accessBits;
  plan.loadVector = 1u << dst.accessBits;
  plan.storeMap = mapOf(&src.registers, src.lanes, src.warps, test);
  plan.loadMap = mapOf(&dst.registers, dst.lanes, dst.warps, test);
  plan.storeBase = baseOf(src, test);
  plan.loadBase = baseOf(dst, test);
  for (unsigned round = 0; round <= unsigned(test.twice); ++round) {
    plan::SharedRepetition &repetition = plan.repetitions.emplace_back();
    listAccesses(src, test, round, repetition.stores, repetition.storeCondition);
    listAccesses(dst, test, round, repetition.loads, repetition.loadCondition);
  }
  for (unsigned r = 0; r < 1u << dst.registers.size(); ++r)
    plan.copies.push_back(r);
  plan.scratchBytes = test.elementBytes * bit(test.elementBits() - test.twice);
  plan.barrier = plan::Barrier::Block;
  return plan;
}

/// Each thread reads its registers from `a`, converts them by the plan and writes them to `b`.
OwningOpRef<ModuleOp> makeModule(MLIRContext &context, const TargetLowering &target,
                                 const Case &test, const SharedPlan &plan, Type type,
                                 unsigned srcBits, unsigned dstBits) {
  Location loc = UnknownLoc::get(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  IRRewriter rewriter(&context);
  (*module)->setAttr(ttg::numWarpsAttrName, rewriter.getI32IntegerAttr(1 << test.warpBits));
  (*module)->setAttr(ttg::threadsPerWarpAttrName, rewriter.getI32IntegerAttr(1 << laneBits));
  (*module)->setAttr(ttg::sharedBytesAttrName,
                     rewriter.getI32IntegerAttr(static_cast<int32_t>(plan.scratchBytes)));
  rewriter.setInsertionPointToStart(module->getBody());
  LLVM::GlobalOp::create(rewriter, loc, LLVM::LLVMArrayType::get(rewriter.getI8Type(), 0), false,
                         LLVM::Linkage::External, sharedMemorySymbol, Attribute(),
                         sharedMemoryAlignment, AddressSpace::Shared);
  Type global = LLVM::LLVMPointerType::get(&context, AddressSpace::Global);
  auto function = LLVM::LLVMFuncOp::create(
      rewriter, loc, "k",
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&context), {global, global}));
  Block *entry = function.addEntryBlock(rewriter);
  rewriter.setInsertionPointToStart(entry);

  LoweringContext lowering(target, *module);
  LoweringBuilder e(lowering, rewriter, loc);
  target.markKernel(function, lowering.numThreads());
  auto placeOf = [&](Value array, unsigned registerBits, unsigned r) {
    Value first = e.create<LLVM::ShlOp>(e.getThreadId(), e.getI32(registerBits));
    return e.create<LLVM::GEPOp>(global, type, array,
                                 Value(e.create<LLVM::AddOp>(first, e.getI32(r))));
  };
  SmallVector<Value> registers;
  for (unsigned r = 0; r < 1u << srcBits; ++r)
    registers.push_back(e.create<LLVM::LoadOp>(type, placeOf(entry->getArgument(0), srcBits, r)));
  registers = emitSharedConversion(e, rewriter, plan, registers, type, 0);
  for (auto [r, value] : llvm::enumerate(registers))
    e.create<LLVM::StoreOp>(value, placeOf(entry->getArgument(1), dstBits, r));
  e.create<LLVM::ReturnOp>(ValueRange());
  return module;
}

class MatrixPlan : public ::testing::Test {
protected:
  MatrixPlan() {
    DialectRegistry registry;
    registry.insert<ttg::TritonGPUDialect, LLVM::LLVMDialect>();
    emit::registerTranslation(registry);
    vendor::registerAll(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// That the plan is one: what it means, step by step, brings every element to its place.
  void expectInterpreted(const Case &test, const SharedPlan &plan, const Side &src,
                         const Side &dst) {
    plan::ConversionPlan whole;
    whole.kind = plan::ConversionPlan::Kind::SharedMemory;
    whole.shared = plan;
    auto registersOf = [&](const Side &side) {
      plan::BlockRegisters held{1u << laneBits, {}};
      for (uint64_t thread = 0; thread < bit(laneBits + test.warpBits); ++thread) {
        std::vector<uint64_t> &registers = held.registers.emplace_back();
        for (uint64_t r = 0; r < bit(side.registers.size()); ++r)
          registers.push_back(side.elementOf(r, thread % bit(laneBits), thread >> laneBits));
      }
      return held;
    };
    plan::PlanReport report;
    plan::BlockRegisters result =
        plan::interpretPlan(whole, registersOf(src), target->getTarget().sharedMemory(), report);
    EXPECT_EQ(report.error, "");
    EXPECT_EQ(result.registers, registersOf(dst).registers);
  }

  /// Converts on the simulator; every element is compared.
  void expectConverted(const Case &test, const Side &src, const Side &dst, Type type) {
    SharedPlan plan = makePlan(test, src, dst);
    expectInterpreted(test, plan, src, dst);
    OwningOpRef<ModuleOp> module =
        makeModule(context, *target, test, plan, type, src.registers.size(), dst.registers.size());
    ElementType arrayType = test.elementBytes == 1   ? ElementType::Int8
                            : test.elementBytes == 2 ? ElementType::Int16
                                                     : ElementType::Int32;
    const int64_t size = static_cast<int64_t>(bit(test.elementBits()));
    std::vector<HostArray> values = {HostArray(arrayType, {size}), HostArray(arrayType, {size})};
    HostArray expected(arrayType, {size});
    std::mt19937 random(5);
    std::vector<int64_t> names;
    for (int64_t i = 0; i < size; ++i)
      names.push_back(random() % 100 + (test.elementBytes > 1 ? 128 * i : 0));
    for (uint64_t thread = 0; thread < bit(laneBits + test.warpBits); ++thread) {
      uint64_t lane = thread % bit(laneBits), warp = thread >> laneBits;
      auto name = [&](const Side &side, HostArray &array) {
        for (uint64_t r = 0; r < bit(side.registers.size()); ++r)
          array.setInteger(thread << side.registers.size() | r,
                           names[side.elementOf(r, lane, warp)]);
      };
      name(src, values[0]);
      name(dst, expected);
    }
    CompiledKernel kernel;
    kernel.metadata.name = "k";
    kernel.metadata.target = "cuda:90";
    kernel.metadata.numWarps = 1 << test.warpBits;
    std::string pointer = "*i" + std::to_string(8 * test.elementBytes);
    for (const char *name : {"a", "b"})
      kernel.metadata.arguments.emplace_back().name = name;
    for (KernelArgument &argument : kernel.metadata.arguments)
      argument.type = pointer;
    ASSERT_EQ(lower::test::simulateModule(*module, kernel, values), "");
    EXPECT_EQ(values[1].bytes, expected.bytes);
    for (auto [kind, name] : {std::pair(src.kind, "stmatrix"), {dst.kind, "ldmatrix"}})
      EXPECT_EQ(kind != AccessKind::Vector, kernel.llir.find(name) != std::string::npos);
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  std::unique_ptr<TargetLowering> target = vendor::find(*target::Target::find("cuda:90"))
                                               ->createLowering(*target::Target::find("cuda:90"));
};

constexpr AccessKind kinds[] = {AccessKind::Vector, AccessKind::Matrix,
                                AccessKind::TransposedMatrix};

} // namespace

TEST_F(MatrixPlan, AllKindsAndSizes) {
  std::mt19937 random(11);
  Builder builder(&context);
  for (unsigned bytes : {1u, 2u, 4u})
    for (AccessKind store : kinds)
      for (AccessKind load : kinds) {
        if (bytes != 2 &&
            (store == AccessKind::TransposedMatrix || load == AccessKind::TransposedMatrix))
          continue; // Transposed matrices are of 16-bit elements.
        for (int i = 0; i < 3; ++i) {
          SCOPED_TRACE(testing::Message() << bytes << " bytes, store " << int(store) << ", load "
                                          << int(load) << ", " << i);
          Case test{bytes, unsigned(random() % 3), 4 + unsigned(random() % 2), false};
          Side src = makeSide(test, store, Selector::None, random),
               dst = makeSide(test, load, Selector::None, random);
          Type type =
              bytes == 4 ? Type(builder.getF32Type()) : Type(builder.getIntegerType(8 * bytes));
          if (bytes == 2 && i % 2)
            type = builder.getF16Type();
          expectConverted(test, src, dst, type);
        }
      }
}

// Where warps select the repetition, some go around the accesses.
TEST_F(MatrixPlan, TwoRepetitions) {
  std::mt19937 random(12);
  Builder builder(&context);
  for (Selector stores : {Selector::Registers, Selector::Warps})
    for (Selector loads : {Selector::Registers, Selector::Warps})
      for (AccessKind store : kinds)
        for (AccessKind load : kinds) {
          SCOPED_TRACE(testing::Message() << "store " << int(store) << " by " << int(stores)
                                          << ", load " << int(load) << " by " << int(loads));
          Case test{2, 2, 5, true};
          Side src = makeSide(test, store, stores, random),
               dst = makeSide(test, load, loads, random);
          expectConverted(test, src, dst, builder.getBF16Type());
        }
}
