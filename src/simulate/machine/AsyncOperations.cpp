//===- AsyncOperations.cpp - Operations that complete later -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/machine/AsyncOperations.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

using namespace tilewright;
using namespace tilewright::simulate;

void AsyncOperation::perform() const {
  if (move)
    return move();
  auto *to = reinterpret_cast<uint8_t *>(writes.begin);
  if (reads.bytes > 0)
    std::memcpy(to, reinterpret_cast<const void *>(reads.begin), reads.bytes);
  std::memset(to + reads.bytes, 0, writes.bytes - reads.bytes);
}

void AsyncQueue::commit() {
  committed.push_back(std::exchange(open, {}));
  ++committedSinceWait;
}

std::vector<AsyncOperation> AsyncQueue::wait(size_t left, uint32_t site) {
  std::vector<AsyncOperation> completed;
  while (committed.size() > left) {
    completed.insert(completed.end(), committed.front().begin(), committed.front().end());
    committed.pop_front();
  }
  committedSinceWait = 0;
  lastWait = Status::Wait{site, left};
  return completed;
}

std::vector<AsyncOperation> AsyncQueue::take() {
  std::vector<AsyncOperation> taken;
  auto takeFrom = [&](Group &group) {
    std::ranges::move(group, std::back_inserter(taken));
    group.clear();
  };
  std::ranges::for_each(committed, takeFrom);
  takeFrom(open);
  return taken;
}

size_t AsyncQueue::size() const {
  size_t operations = open.size();
  for (const Group &group : committed)
    operations += group.size();
  return operations;
}

std::optional<AsyncQueue::Status> AsyncQueue::findWriter(uint64_t address) const {
  auto find = [&](const Group &group) -> const AsyncOperation * {
    auto found = std::ranges::find_if(group, [&](const AsyncOperation &operation) {
      return address - operation.writes.begin < operation.writes.bytes;
    });
    return found == group.end() ? nullptr : &*found;
  };
  if (const AsyncOperation *operation = find(open))
    return Status{*operation, std::nullopt, std::nullopt};
  for (size_t i = 0; i < committed.size(); ++i)
    if (const AsyncOperation *operation = find(committed[i])) {
      bool seenByWait = i + committedSinceWait < committed.size();
      return Status{*operation, committed.size() - 1 - i, seenByWait ? lastWait : std::nullopt};
    }
  return std::nullopt;
}
