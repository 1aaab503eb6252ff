//===- WarpSpecialize.cpp - Functions that groups of warps run at once --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// gl.warp_specialize([(f, (a, b)), (g, (c,))], [4], [24]): the kernel's warps run f(a, b), four
// further ones g(c), which sees what it gets as arguments of its region. A function is compiled
// anew for each number of warps that runs it: its layouts are for them.
//
//===--------------------------------------------------------------------------===//

#include "frontend/codegen/KernelBuilder.h"

#include "ir/ttg/Dialect.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace tilewright;
using namespace tilewright::frontend;

namespace {
enum SpecializeParameter { Partitions, NumWarps, NumRegisters };
struct Partition {
  const FunctionObject *function;
  std::vector<Value> arguments;
};
} // namespace

/// The functions with their arguments; false after an error.
static bool readPartitions(const Arguments &arguments, std::vector<Partition> &partitions) {
  const Value &list = arguments[Partitions];
  if (!list.isTuple() || list.elements->empty())
    return arguments.reject(
        Partitions, "must be a list of functions with their arguments, not " + list.describe(),
        "write [(f, (a, b)), (g, (c,))]");
  for (const Value &one : *list.elements) {
    const bool isPair = one.isTuple() && one.elements->size() == 2 &&
                        (*one.elements)[0].kind == ValueKind::Function &&
                        (*one.elements)[0].function->kind == FunctionKind::Jitted &&
                        (*one.elements)[1].isTuple();
    if (!isPair)
      return arguments.reject(Partitions, "has " + one.describe() +
                                              " where a jitted function and the tuple of its "
                                              "arguments belong");
    partitions.push_back({(*one.elements)[0].function, *(*one.elements)[1].elements});
  }
  return true;
}

/// One number for each partition but the first; false after an error.
static bool readCounts(const Arguments &arguments, size_t index, size_t count,
                       llvm::SmallVectorImpl<int32_t> &numbers) {
  llvm::SmallVector<int64_t> given;
  if (!arguments.shape(index, given))
    return false;
  numbers.assign(given.begin(), given.end());
  if (numbers.size() != count)
    return arguments.reject(index,
                            "has " + llvm::Twine(numbers.size()) + " numbers, but there " +
                                (count == 1 ? "is " : "are ") + llvm::Twine(count) +
                                (count == 1 ? " function" : " functions") + " besides the first",
                            "give one for each of these");
  for (int32_t number : numbers)
    if (number < 1 || (index == NumWarps && !llvm::isPowerOf2_32(static_cast<uint32_t>(number))))
      return arguments.reject(index, "has " + llvm::Twine(number) +
                                         (index == NumWarps ? ", which is no power of two" : ""));
  return true;
}

static std::vector<GivenArgument> givenOf(TritonBuilder &tb, llvm::ArrayRef<Value> values) {
  std::vector<GivenArgument> given;
  for (const Value &value : values)
    given.push_back({{}, value, tb.here()});
  return given;
}

Value KernelBuilder::specializeWarps(Arguments &arguments) {
  std::vector<Partition> partitions;
  llvm::SmallVector<int32_t> warps, registers;
  if (!readPartitions(arguments, partitions) ||
      !readCounts(arguments, NumWarps, partitions.size() - 1, warps) ||
      !readCounts(arguments, NumRegisters, partitions.size() - 1, registers))
    return {};
  if (partitionWarps)
    return tb.fail("warp_specialize is called by a function that a group of warps runs already",
                   "divide all warps at once");

  mlir::OpBuilder &builder = tb.builder;
  // The default region first: its results are those of the op.
  mlir::Region defaultRegion;
  Value result;
  llvm::SmallVector<mlir::Value> yielded;
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&defaultRegion);
    result = callFunction(partitions.front().function, givenOf(tb, partitions.front().arguments));
    if (!result)
      return {};
    flatten(result, yielded);
    ttg::WarpYieldOp::create(builder, tb.loc(), yielded);
  }
  llvm::SmallVector<mlir::Value> captures;
  for (const Partition &partition : llvm::ArrayRef(partitions).drop_front())
    for (const Value &argument : partition.arguments)
      flatten(argument, captures);
  auto op = ttg::WarpSpecializeOp::create(
      builder, tb.loc(), mlir::ValueRange(yielded).getTypes(), captures, warps,
      /*warpGroupStartIds=*/{}, builder.getDenseI32ArrayAttr(registers), /*actualRegisters=*/{});
  op.getDefaultRegion().takeBody(defaultRegion);

  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&op.getPartitionOpHolder());
  auto holder = ttg::WarpSpecializePartitionsOp::create(
      builder, tb.loc(), static_cast<unsigned>(partitions.size() - 1));
  const llvm::SmallVector<mlir::Location> locations(captures.size(), tb.loc());
  size_t next = 0;
  for (size_t i = 1; i < partitions.size(); ++i) {
    mlir::Region &region = holder->getRegion(static_cast<unsigned>(i - 1));
    mlir::Block *block =
        builder.createBlock(&region, {}, mlir::ValueRange(captures).getTypes(), locations);
    std::vector<Value> own;
    for (const Value &argument : partitions[i].arguments)
      own.push_back(rebuild(argument, block->getArguments(), next));
    const llvm::SaveAndRestore inside(partitionWarps, static_cast<unsigned>(warps[i - 1]));
    const llvm::SaveAndRestore count(tb.facts.numWarps, partitionWarps);
    if (!callFunction(partitions[i].function, givenOf(tb, own)))
      return {};
    builder.setInsertionPointToEnd(block);
    ttg::WarpReturnOp::create(builder, tb.loc());
  }
  size_t at = 0;
  return rebuild(result, op.getResults(), at);
}
