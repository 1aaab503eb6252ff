//===- AsyncOperations.h - Operations that complete later -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An asynchronous operation is issued by a thread and completes later: when a wait says so. In
// between it is outstanding, and happens at no particular time. The rules are the same for all of
// them, whatever issues them:
//
//   issue      The operation's accesses to shared memory are checked as those of the issuing
//              thread, at that point of its program. From then on they are outstanding: nobody may
//              touch what the operation writes, nor write what it reads.
//   complete   The accesses are ordered before what the thread that waited does next, as if it had
//              made them itself. Other threads have to meet it afterwards.
//
// When the data moves is the simulator's choice, between the two: as late as possible or at once
// (SimulatorOptions::asyncCompletion). What is checked does not depend on it.
//
// Operations complete in groups. An AsyncQueue has the groups of one owner, which complete in the
// order in which they were committed: those of a thread for cp.async. What comes to GPUs besides
// fits in so:
//
//   - wgmma commits groups too; the owner is a warpgroup, and its operations read shared
//     memory, so that bytes have outstanding reads as they have outstanding writes
//     (SharedMemory::beginRead, beginWrite).
//   - A bulk copy into shared memory belongs to no queue but to a phase (PhaseBarriers.h): a group
//     that is complete when as many threads have arrived, and as many bytes have come, as the phase
//     is for. A bulk copy out of shared memory is in a group of the thread's second queue.
//   - Accesses through the asynchronous proxy are ordered after others only by a fence
//   (ProxyFences.h).
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_MACHINE_ASYNCOPERATIONS_H
#define TILEWRIGHT_SIMULATE_MACHINE_ASYNCOPERATIONS_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace tilewright::simulate {

/// Bytes at an address of the host.
struct MemoryRange {
  uint64_t begin = 0;
  uint32_t bytes = 0;
};

/// A copy into shared memory or out of it. By itself what is read goes to the beginning of what is
/// written, and the rest of that becomes zero.
struct AsyncOperation {
  uint32_t thread = 0;
  uint32_t site = 0;
  MemoryRange reads;
  MemoryRange writes;
  /// A function that moves the data instead; the range that is not in shared memory is empty then.
  std::function<void()> move = {};
  /// Notes in other memories that the operation is complete.
  std::function<void()> complete = {};

  /// Moves the data.
  void perform() const;
};

/// The outstanding operations of one owner.
class AsyncQueue {
public:
  /// The operation goes into the group that is open.
  void issue(const AsyncOperation &operation) { open.push_back(operation); }
  /// Closes the open group, which may be empty, and opens another one.
  void commit();
  /// Takes out the operations of the oldest groups, until at most `left` groups are outstanding
  /// besides the open one. `site`: where the wait stands.
  std::vector<AsyncOperation> wait(size_t left, uint32_t site);
  /// Takes out all outstanding operations; the groups stay, empty.
  std::vector<AsyncOperation> take();
  /// Forgets all.
  void clear() { *this = AsyncQueue(); }

  /// The number of outstanding operations, with those of the open group.
  size_t size() const;

  /// How it stands with an outstanding operation.
  struct Status {
    AsyncOperation operation;
    /// How many groups a wait may leave outstanding that is to complete the operation; nothing if
    /// the operation's group is still open.
    std::optional<size_t> groupsAfter;
    /// The owner's last wait, if the operation's group was closed by then: where it stands, and how
    /// many groups it left outstanding at most.
    struct Wait {
      uint32_t site = 0;
      size_t left = 0;
    };
    std::optional<Wait> lastWait;
  };
  /// The outstanding operation that writes a byte.
  std::optional<Status> findWriter(uint64_t address) const;

private:
  using Group = std::vector<AsyncOperation>;

  Group open;
  /// Oldest first.
  std::deque<Group> committed;
  /// Groups that were committed after the last wait, the youngest of `committed`.
  size_t committedSinceWait = 0;
  std::optional<Status::Wait> lastWait;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_MACHINE_ASYNCOPERATIONS_H
