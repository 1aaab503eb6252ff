//===- SharedMap.cpp - Shared memory over the program -------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "report/SharedMap.h"

#include "ir/ttg/query/Conversion.h"
#include "lower/space/Allocations.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::report;

namespace {

class Collector {
public:
  Collector(tt::FuncOp func, Places &places) : func(func) {
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op == func)
        return;
      numberOf[op] = map.ops.size();
      places.collect(op->getLoc(), map.ops.emplace_back());
    });
  }

  SharedMap run() {
    addAllocations();
    func.walk([&](ttg::ScratchUser op) { addScratch(op); });
    return std::move(map);
  }

private:
  SharedPiece begin(Operation *op) {
    SharedPiece piece;
    piece.op = op->getName().getStringRef().str();
    if (auto offset = op->getAttrOfType<IntegerAttr>(ttg::allocationOffsetAttrName))
      piece.offset = static_cast<uint64_t>(offset.getInt());
    piece.places = map.ops[numberOf.at(op)];
    if (auto name = dyn_cast<NameLoc>(op->getLoc()))
      piece.name = name.getName().str();
    return piece;
  }

  void addAllocations() {
    const lower::MemorySpace &space = lower::sharedMemorySpace;
    const lower::Allocations allocations(func, space);
    const unsigned first = map.pieces.size();
    for (Operation *op : allocations.all()) {
      SharedPiece piece = begin(op);
      piece.bytes = space.getExtent(op).units;
      map.pieces.push_back(std::move(piece));
    }
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != func)
        for (unsigned number : allocations.aliveAt(op).set_bits())
          extend(map.pieces[first + number].spans, numberOf.at(op));
    });
  }

  static void extend(std::vector<std::pair<unsigned, unsigned>> &spans, unsigned op) {
    if (!spans.empty() && spans.back().second == op)
      ++spans.back().second;
    else
      spans.push_back({op, op + 1});
  }

  void addScratch(ttg::ScratchUser op) {
    const ttg::Scratch scratch = op.getScratch(ttg::getPlanCache(op));
    if (!scratch.bytes || !op->hasAttr(ttg::allocationOffsetAttrName))
      return;
    SharedPiece piece = begin(op);
    piece.bytes = scratch.bytes;
    piece.isScratch = true;
    const unsigned number = numberOf.at(op);
    piece.spans = {{number, number + 1}};
    map.pieces.push_back(std::move(piece));
  }

  tt::FuncOp func;
  llvm::DenseMap<Operation *, unsigned> numberOf;
  SharedMap map;
};

} // namespace

SharedMap report::collectSharedMap(ModuleOp module, Places &places) {
  // The kernel: other functions have memory beside it, and are few.
  for (auto func : module.getOps<tt::FuncOp>())
    if (func.isPublic() && !func.isExternal())
      return Collector(func, places).run();
  return {};
}

llvm::json::Object report::toJson(const SharedMap &map) {
  auto numbers = [](const auto &list) {
    llvm::json::Array array;
    for (unsigned number : list)
      array.push_back(number);
    return array;
  };
  llvm::json::Array ops, pieces;
  for (const auto &placesOfOp : map.ops)
    ops.push_back(numbers(placesOfOp));
  for (const SharedPiece &piece : map.pieces) {
    llvm::json::Array spans;
    for (auto [begin, end] : piece.spans)
      spans.push_back(llvm::json::Array{begin, end});
    pieces.push_back(llvm::json::Object{{"op", piece.op},
                                        {"name", piece.name},
                                        {"scratch", piece.isScratch},
                                        {"offset", piece.offset},
                                        {"bytes", piece.bytes},
                                        {"spans", std::move(spans)},
                                        {"places", numbers(piece.places)}});
  }
  return llvm::json::Object{{"ops", std::move(ops)}, {"pieces", std::move(pieces)}};
}
