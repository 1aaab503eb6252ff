//===- Machine.h - The state of a program of tiles --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_INTERPRET_MACHINE_H
#define TILEWRIGHT_INTERPRET_MACHINE_H

#include "interpret/Interpreter.h"
#include "simulate/machine/Fiber.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <deque>
#include <functional>

namespace tilewright::interpret {

using Data = llvm::SmallVector<Datum>;
using Work = std::function<void()>;

/// The asynchronous operations of one group of warps, the oldest first.
struct Pending {
  std::vector<Work> copies;
  std::deque<std::vector<Work>> copyGroups;
  std::deque<Work> products, stores;
};

class Machine {
public:
  Machine(GlobalMemory &memory, const Launch &launch) : memory(memory), launch(launch) {}

  /// Runs the kernel as one program.
  void runProgram(mlir::Operation *kernel, llvm::ArrayRef<Datum> arguments, uint32_t number);

  //===-- Values --===//

  Datum get(mlir::Value value) const { return values.lookup(value); }
  TensorPtr tensor(mlir::Value value) const;
  View view(mlir::Value value) const { return std::get<View>(get(value)); }
  Descriptor descriptor(mlir::Value value) const { return std::get<Descriptor>(get(value)); }
  /// The signed value of a scalar. An undefined one stops the program: nothing may hang on it.
  int64_t integer(mlir::Value value, mlir::Operation *user);
  bool truth(mlir::Value value, mlir::Operation *user) { return integer(value, user) != 0; }
  void set(mlir::Value result, Datum datum) { values[result] = std::move(datum); }
  /// A tensor for a result, which is set by it.
  TensorPtr makeResult(mlir::Value result);

  //===-- Control --===//

  /// Runs a region from its first block on and gives the operands of the terminator that leaves it.
  Data runRegion(mlir::Region &region, llvm::ArrayRef<Datum> arguments);
  void runOp(mlir::Operation *op);
  bool hasStopped() const { return stop.has_value(); }
  void halt(Stop::Kind kind, const std::string &what, mlir::Location place);
  void fault(mlir::Operation *op, const std::string &what) {
    halt(Stop::Kind::Fault, what, op->getLoc());
  }
  void refuse(mlir::Operation *op, const std::string &why = "");
  /// Counts elements that are computed; false where that is too many.
  void spend(uint64_t elements, mlir::Operation *op);

  //===-- Groups of warps --===//

  /// Runs the partitions of a warp_specialize op beside the default region.
  Data runGroups(mlir::Region &first, llvm::MutableArrayRef<mlir::Region> partitions,
                 llvm::ArrayRef<Datum> captures, mlir::Operation *op);
  /// Lets other groups go on until `isReady`; stops the program where none can.
  void waitUntil(llvm::function_ref<bool()> isReady, mlir::Operation *op);
  Pending &pending() { return *current; }
  /// All that is still under way is done.
  void finish(Pending &group);

  /// Products of units of their own, in the order of their issue, and how many of all are done.
  void issueProduct(Work work) { unitProducts.push_back(std::move(work)); }
  uint64_t countProducts() const { return doneProducts + unitProducts.size(); }
  void doProducts(uint64_t count);

  /// +1 or -1: the direction in which a variant moves a rounded result; 0 for none.
  int direction();
  /// Whether a result was moved.
  bool hasMoved = false;

  GlobalMemory &memory;
  const Launch &launch;
  uint32_t programNumber = 0;
  std::array<uint32_t, 3> programId = {};
  std::optional<Stop> stop;
  uint64_t work = 0;
  /// Descriptors that the program wrote into memory, by their addresses.
  std::map<uint64_t, Descriptor> writtenDescriptors;
  /// Pieces of tensor memory by the places that passes gave them.
  std::map<std::array<int64_t, 3>, std::shared_ptr<Piece>> placedPieces;
  /// Tensors of constants, made once.
  llvm::DenseMap<mlir::Operation *, TensorPtr> constants;

private:
  struct Group {
    Group() : fiber(size_t(1) << 18) {}
    simulate::Fiber fiber;
    Pending pending;
    Machine *machine = nullptr;
    mlir::Region *region = nullptr;
    Data arguments;
  };
  void resume(Group &group);
  /// Lets the groups besides the first one go on once. False where none has moved.
  bool resumeAll();

  llvm::DenseMap<mlir::Value, Datum> values;
  Pending own, *current = &own;
  std::vector<std::unique_ptr<Group>> groups;
  Group *running = nullptr;
  std::deque<Work> unitProducts;
  uint64_t doneProducts = 0;
  uint64_t steps = 0;
  uint64_t drawn = 0;
};

/// Runs one op and sets its results.
using Handler = void (*)(Machine &machine, mlir::Operation *op);

/// The handlers of ops, by the ops' names.
class Handlers {
public:
  template <typename Op> void add(void (*handler)(Machine &, Op)) {
    typed[Op::getOperationName()] = [handler](Machine &machine, mlir::Operation *op) {
      handler(machine, llvm::cast<Op>(op));
    };
  }
  template <typename... Ops> void addAll(Handler handler) {
    ((typed[Ops::getOperationName()] = handler), ...);
  }
  const std::function<void(Machine &, mlir::Operation *)> *find(llvm::StringRef name) const {
    auto found = typed.find(name);
    return found == typed.end() ? nullptr : &found->second;
  }

private:
  llvm::StringMap<std::function<void(Machine &, mlir::Operation *)>> typed;
};

void addArithmetic(Handlers &handlers);
void addMathematics(Handlers &handlers);
void addControl(Handlers &handlers);
void addShapes(Handlers &handlers);
void addGlobalAccesses(Handlers &handlers);
void addDescriptors(Handlers &handlers);
void addCollectives(Handlers &handlers);
void addProducts(Handlers &handlers);
void addSharedMemory(Handlers &handlers);
void addAsynchronous(Handlers &handlers);

} // namespace tilewright::interpret

#endif // TILEWRIGHT_INTERPRET_MACHINE_H
