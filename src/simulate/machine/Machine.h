//===- Machine.h - Execution of the blocks of a launch --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The machine runs one block after another. A block's threads are fibers that take
// turns, in the order of warps and lanes: each runs until it ends, waits at a collective
// or has used up its share of loop iterations. When no thread can run, they are in a
// deadlock, and the launch ends with an error that says where each of them waits.
//
// Warps meet at barriers, which have numbers: a warp has come to one when all of its lanes
// have, and the barrier is complete when as many threads have come as it is for. It may
// then be used again, for other warps. What those that came did in shared memory is
// ordered before what those do that waited, and says nothing of the other warps.
//
// Compiled kernels call the machine through the functions of RuntimeCalls.h.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_MACHINE_MACHINE_H
#define TILEWRIGHT_SIMULATE_MACHINE_MACHINE_H

#include "runtime/launch/LaunchGrid.h"
#include "simulate/VendorOperations.h"
#include "simulate/machine/AsyncOperations.h"
#include "simulate/machine/BlockState.h"
#include "simulate/machine/Clocks.h"
#include "simulate/machine/Counters.h"
#include "simulate/machine/Exchange.h"
#include "simulate/machine/Fiber.h"
#include "simulate/machine/GlobalMemory.h"
#include "simulate/machine/GlobalOrder.h"
#include "simulate/machine/PhaseBarriers.h"
#include "simulate/machine/ProxyFences.h"
#include "simulate/machine/SharedMemory.h"
#include "simulate/machine/Site.h"
#include "simulate/machine/Tracer.h"
#include "tilewright/Simulator.h"

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

namespace tilewright::simulate {

class Machine {
public:
  using EntryPoint = void (*)(const uint64_t *parameters);

  /// `banks`: the target's shared memory, for the counters. `trace`: where events are recorded;
  /// null for none.
  Machine(const KernelMetadata &metadata, const SimulatorOptions &options, GlobalMemory &memory,
          std::span<const LaunchBlock> launchBlocks, SharedBanks banks, Trace *trace = nullptr);
  ~Machine();

  SiteTable sites;
  /// The loops of compiled code, with what they consist of, if they are counted.
  std::vector<std::pair<LoopName, LoopCounts>> loops;
  Registers registers;
  SharedMemory shared;

  uint32_t lanesPerWarp() const { return laneCount; }
  uint32_t threadsPerBlock() const { return threads.size(); }
  uint32_t blocksPerCluster() const { return static_cast<uint32_t>(metadata.numCtas); }
  /// The member mask of a whole warp.
  uint64_t allLanes() const { return ~uint64_t(0) >> (64 - laneCount); }
  /// The bytes of each of the vendor's launch blocks; they do not move.
  std::span<const std::byte> launchBlock(size_t index) const { return launchBytes[index]; }

  /// A copy of the bytes that stays where it is as long as the machine: for what a vendor's
  /// operations give kernels pointers to. Equal bytes are kept once.
  const void *keep(std::span<const std::byte> bytes) {
    return kept.insert({bytes.begin(), bytes.end()}).first->data();
  }

  /// Runs all blocks of the grid.
  Expected<void> launch(EntryPoint entry, size_t stackBytes, const runtime::LaunchGrid &grid,
                        std::span<const uint64_t> parameters, Report &report);

  // From within a thread of the kernel.

  /// A global or generic access that is not inside of the site's known range.
  void checkAddress(uint32_t site, uint64_t address);
  void checkShared(uint32_t site, uint64_t address);
  /// That the site's bytes at `address` are shared memory and aligned, and no more: for
  /// operations whose threads access what other threads name.
  void checkSharedRange(uint32_t site, uint64_t address);
  void countAccess(uint32_t site, uint64_t address, bool active);
  /// The thread ends an iteration of a loop.
  void countIteration(uint32_t loop);
  /// Called when the thread's share of loop iterations is used up.
  void tick();
  /// Comes to a barrier, and waits there unless the use says otherwise.
  void barrier(uint32_t site, const BarrierUse &use);
  /// Waits for the block's other threads, at this place. What they did in shared memory before
  /// comes before what they do after only if all of them say `ordersShared`.
  void blockBarrier(uint32_t site, bool ordersShared) {
    barrier(site, {.threads = threadsPerBlock(),
                   .ordersShared = ordersShared,
                   .samePlace = BarrierUse::SamePlace::Block});
  }
  /// The same in two steps: the thread says that it has come, and waits later. What it does in
  /// shared memory in between is refused, since nothing is known of its order.
  void signalBarrier(uint32_t site, bool ordersShared);
  void waitAtBarrier(uint32_t site, bool ordersShared);
  /// Waits for all threads of the cluster's blocks, as the second step of a barrier that
  /// signalBarrier was the first of.
  void waitAtClusterBarrier(uint32_t site);
  /// The address under which the cluster's blocks see what is at `address` of block `rank`.
  uint64_t mapToBlock(uint32_t site, uint64_t address, uint32_t rank);
  /// Waits until all lanes in `members` are at this site with the same members; gives
  /// this lane's result. Orders the warp's accesses to memory if `combine` says that it does.
  uint64_t warpOperation(uint32_t site, uint64_t members,
                         const uint32_t (&operands)[WarpExchange::operandCount],
                         WarpCombine combine);
  /// Waits until all threads of the `warps` warps that belong together, of which the first one's
  /// number is a multiple of `warps`, are at this site; then `combine` is done once for all. That
  /// orders nothing they do in memory.
  void groupOperation(uint32_t site, uint32_t warps, void *operand, GroupCombine combine);
  /// To be said before the first launch if some warps of a block may meet without the others.
  void trackWarps();
  /// To be said before the first launch if operations read shared memory asynchronously.
  void trackReaders() { shared.trackReaders(); }
  /// From within a combination: a thread accesses `bytes` bytes of shared memory. False if
  /// the launch is to end with an error.
  bool accessShared(uint32_t thread, uint32_t site, uint64_t address, uint32_t bytes);

  /// The thread issues an asynchronous copy into shared memory; the site is that of the store.
  void issueAsync(uint32_t site, MemoryRange reads, MemoryRange writes);
  /// Closes the thread's group of asynchronous operations.
  void commitAsync() { asyncQueues[current].commit(); }
  /// Waits until at most `left` of the thread's groups are outstanding.
  void waitAsync(uint32_t site, uint32_t left);

  // Where the order of global memory is checked: MachineGlobal.cpp. A load, or an atomic operation
  // before it is done, of the site's bytes, if these are global memory:

  void loadGlobal(uint32_t site, uint64_t address);
  void operateOnGlobal(uint32_t site, uint64_t address, const AtomicOrder &order);
  /// Keeps the bytes that the site's store is about to replace; after it, `storedGlobal` compares.
  void keepStored(uint32_t site, uint64_t address);
  void storedGlobal(uint32_t site, uint64_t address);
  void fenceGlobal(const AtomicOrder &order);
  /// For operations that access global memory in a way of their own: an access by a thread, with
  /// `before` as in GlobalOrder::store, and `what` an atomic one orders. False if the launch is to
  /// end with an error.
  bool accessGlobal(uint32_t thread, uint32_t site, uint64_t address, uint32_t bytes,
                    AccessKind kind, const std::byte *before = nullptr,
                    const AtomicOrder &what = {});
  bool ordersGlobal() const { return order.has_value(); }

  // Of asynchronous units, which copy whole ranges of shared memory: MachineAsync.cpp. To be said
  // before the first launch if there are any:
  void trackAsyncUnits();

  /// The thread issues a copy of `operation.reads`, in shared memory, to somewhere else: into a
  /// second queue of its own.
  void issueBulkRead(AsyncOperation operation);
  void commitBulk() { bulkQueues[current].commit(); }
  void waitBulk(uint32_t site, uint32_t left);
  /// The thread issues a copy to `operation.writes`, in shared memory, that belongs to the present
  /// phase of the barrier at `address`.
  void issueBulkWrite(AsyncOperation operation, uint64_t address);
  /// The thread's accesses to shared memory come before accesses by other threads through the
  /// asynchronous proxy.
  void fenceProxies() { fences.add(accessorOf(current)); }

  // Barriers in shared memory (PhaseBarriers.h), by their addresses:

  /// Makes one for so many arrivals a phase; ends one.
  void makePhaseBarrier(uint32_t site, uint64_t address, uint32_t arrivals);
  void endPhaseBarrier(uint32_t site, uint64_t address);
  /// The thread arrives so many times, and expects so many bytes more.
  void arriveAtPhase(uint32_t site, uint64_t address, uint32_t arrivals, uint64_t bytes);
  /// The thread's outstanding copies of the first queue belong to the phase from now on. With
  /// `counts` the thread arrives when they are done; else that is an arrival more than the phase
  /// was for.
  void arriveAfterCopies(uint32_t site, uint64_t address, bool counts);
  /// An asynchronous unit arrives once when it is done with what the thread has issued: `complete`
  /// is called then.
  void arriveAfter(uint32_t site, uint64_t address, std::function<void()> complete);
  /// Waits for the end of the phase of this parity.
  void waitForPhase(uint32_t site, uint64_t address, uint32_t parity);

  /// The bytes of the buffer from `address` on, 0 where there is none, or none that may be stored
  /// to: for operations that access global memory in a way of their own.
  uint64_t bytesOfBufferAt(uint64_t address, bool isStore) const;

  /// For several warps, given by a thread each of which the first issues it: an asynchronous read
  /// of shared memory through the asynchronous proxy. `seesCopies`: as in SharedMemory::beginRead.
  /// False if the launch is to end with an error.
  bool beginRead(uint32_t site, std::span<const uint32_t> threads, MemoryRange range,
                 bool seesCopies);
  /// The read is complete for those that issued it, each of which knows that of itself alone.
  void completeRead(uint32_t site, std::span<const uint32_t> threads, MemoryRange range);
  bool completesEarly() const { return options.asyncCompletion == AsyncCompletion::Early; }
  uint32_t currentThread() const { return current; }

  /// The stamp of an access that the thread makes now, and of one that asynchronous units do.
  Accessor accessorOf(uint32_t thread) const {
    Accessor accessor = clocks.now(thread, thread / laneCount);
    accessor.fences = fences.countOf(thread);
    return accessor;
  }
  std::vector<Accessor> accessorsOf(std::span<const uint32_t> threads) const;
  Accessor accessorOfUnits() const { return clocks.now(unitThread, clocks.unit()); }
  uint32_t warps() const { return warpCount; }

  /// The memory of some operations of the vendor's for a block.
  template <typename State> State &blockState() {
    static constexpr char key = 0;
    std::unique_ptr<BlockState> &state = blockStates[&key];
    if (!state)
      state = std::make_unique<State>();
    return static_cast<State &>(*state);
  }

  /// A place of the program as a note to an error.
  void addNote(uint32_t site, std::string message) {
    error->notes.push_back(noteAt(site, std::move(message)));
  }

  /// The launch is to end with an error at a site.
  void fail(uint32_t site, std::string message, std::string remedy = {});
  /// Ends the thread if the launch is to end. The functions above only note an error;
  /// this is to be called after them, where nothing is left to destroy.
  void leaveIfFailed() {
    if (error)
      fibers[current]->abandon();
  }

private:
  /// AtBarrier: waits for the lanes of its warp to come there; InBarrier: for other warps; AtPhase:
  /// for the end of a phase; AtCluster: for other blocks.
  enum class State : uint8_t {
    Ready,
    AtBarrier,
    InBarrier,
    AtPhase,
    AtCluster,
    AtWarpOperation,
    AtGroupOperation,
    Ended
  };
  struct Thread {
    State state = State::Ready;
    uint32_t site = 0;
    uint64_t members = 0;
    uint32_t operands[WarpExchange::operandCount] = {};
    uint64_t result = 0;
    WarpCombine combine = nullptr;
    uint32_t groupWarps = 0;
    void *groupOperand = nullptr;
    GroupCombine groupCombine = nullptr;
    /// The barrier that the thread is at.
    BarrierUse barrier;
    /// The phase that the thread waits for.
    uint64_t phaseAddress = 0;
    uint32_t phaseParity = 0;
    /// The thread has signalled a barrier that it has not yet waited at.
    bool signalled = false;
    int64_t iterations = 0;
  };
  /// A barrier of the block: those that have come since it was last complete.
  struct Barrier {
    /// How many threads are to come, and how many have.
    uint32_t threads = 0;
    uint32_t arrived = 0;
    /// The site at which the first warp arrived.
    uint32_t site = 0;
    bool ordersShared = true;
    bool ofCluster = false;
    /// For each warp.
    std::vector<bool> came;
    /// The warps that wait.
    std::vector<uint32_t> waiting;
    /// The clocks released by the warps that arrived.
    Clocks::Epochs released;
  };

  /// Runs the block until all of its threads have ended, or wait for other blocks of the cluster.
  void runBlock();
  void beginBlock(uint32_t x, uint32_t y, uint32_t z);
  bool isAtCluster() const;

  // Clusters: MachineCluster.cpp.

  /// A block of the cluster while the turn is another one's.
  struct SuspendedBlock;
  void runCluster(uint32_t x, uint32_t y, uint32_t z);
  void takeTurn(uint32_t rank);
  /// Exchanges the block's own state with that of `block`.
  void exchange(SuspendedBlock &block);
  void passClusterBarrier();
  void reportEndedBlock();
  void checkRemote(uint32_t site, uint64_t address);
  void runThread(uint32_t thread);
  bool runWarp(uint32_t warp);
  /// Counts an operation of a whole warp, or of several.
  void countOperation(uint32_t site);
  bool completeWarpOperations(uint32_t warp);
  bool completeGroupOperation(uint32_t warp);
  bool comeToBarrier(uint32_t warp);
  void completeBarrier(Barrier &barrier);
  void abandonAll();

  void beginAsyncBlock();
  void endAsyncThread(uint32_t thread);
  void endAsyncBlock();
  /// False after an error.
  bool beginAsyncWrite(const AsyncOperation &operation);
  bool standsForWarp(uint32_t thread) const;
  void traceIssue(const AsyncOperation &operation);
  void traceCompletion(const AsyncOperation &operation);
  /// That at `address`; null after an error.
  PhaseBarrier *findPhaseBarrier(uint32_t site, uint64_t address);
  void settlePhase(uint32_t site, uint64_t address, PhaseBarrier &barrier);
  void endPhase(PhaseBarrier &barrier);
  bool passesPhase(const Thread &thread);

  uint32_t warpBegin(uint32_t warp) const { return warp * laneCount; }
  /// An error at a site, with the line of the source if its file can be read.
  Diagnostic diagnosticAt(uint32_t site, std::string message, std::string remedy = {}) const;
  Diagnostic noteAt(uint32_t site, std::string message) const;
  Diagnostic threadNote(uint32_t thread) const;
  /// That the thread accesses shared memory not between the two steps of a barrier.
  bool checkBetweenSignalAndWait(uint32_t site);
  void reportDeadlock();
  std::string describeBarrier(const BarrierUse &use) const;
  std::string describe(uint64_t address, const PhaseBarrier &barrier) const;
  std::string describePhaseWait(const Thread &thread) const;
  void addPhaseNotes(const Thread &thread, Diagnostic &diagnostic) const;
  void reportAddress(uint32_t site, uint64_t address);
  void reportReadOnly(uint32_t site, const Buffer &buffer);
  void reportShared(uint32_t site, const SharedMemory::Outcome &outcome);
  void reportOutstanding(uint32_t site, const SharedMemory::Outcome &outcome);
  void reportOutstandingPhase(uint32_t site, const SharedMemory::Outcome &outcome, uint64_t address,
                              const PhaseBarrier &barrier);
  void reportStack(uint32_t site);
  void reportGlobal(uint32_t site, const GlobalOrder::Outcome &outcome);
  void reportUnwritten(uint32_t site, uint64_t address);
  std::string describePlace(const Site &site, uint64_t address) const;
  /// Whether what an access of the site at `address` touches is global memory that others may see.
  bool isGlobal(const Site &site, uint64_t address) const;
  uint32_t numberOfBlock() const;
  std::string describeBlock(uint32_t number) const;
  void reportMisaligned(uint32_t site, uint64_t address);
  /// "argument 'x'".
  std::string describeParameter(int parameter) const;

  const KernelMetadata &metadata;
  const SimulatorOptions options;
  GlobalMemory &memory;
  uint32_t laneCount;
  std::span<const LaunchBlock> launchBlocks;
  std::vector<std::vector<std::byte>> launchBytes;
  std::set<std::vector<std::byte>> kept;

  EntryPoint entry = nullptr;
  std::span<const uint64_t> parameters;
  std::vector<std::unique_ptr<Fiber>> fibers;
  std::vector<Thread> threads;
  /// One for each thread: copies into shared memory, and bulk copies out of it.
  std::vector<AsyncQueue> asyncQueues, bulkQueues;
  PhaseBarriers phaseBarriers;
  uint32_t warpCount;
  Clocks clocks;
  ProxyFences fences;
  /// Nothing where it is not checked.
  std::optional<GlobalOrder> order;
  std::vector<std::byte> bytesBefore;
  /// By the addresses of their types' keys.
  std::map<const void *, std::unique_ptr<BlockState>> blockStates;
  /// By their numbers; as many as have been used.
  std::vector<Barrier> barriers;
  /// Whether the block has passed a barrier that does not order shared memory.
  bool passedUnordered = false;
  uint32_t current = 0;
  int64_t share = 0;
  std::optional<Diagnostic> error;
  mutable std::map<std::string, std::string> sources;
  Report *report = nullptr;
  /// The report's counts of each loop.
  std::vector<LoopCounts *> loopCounts;
  /// Nothing where no trace is recorded.
  std::optional<Tracer> tracer;
  Counters counters;
  WarpExchange warpExchange;
  /// The blocks of a cluster, that of the present turn in place of what is suspended.
  std::vector<std::unique_ptr<SuspendedBlock>> blocks;
  size_t fiberBytes = 0;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_MACHINE_MACHINE_H
