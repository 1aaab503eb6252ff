//===- SpillChoice.cpp - What leaves its registers, and where -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/machine/SpillChoice.h"

#include <algorithm>
#include <queue>
#include <utility>

using namespace tilewright::emit;

/// The error that sums of frequencies may have.
static constexpr float leastRate = 1e-4f;

void SpillChoice::reset() {
  values.clear();
  gaps.clear();
  firstGap.assign(1, 0);
  frequency.clear();
  change.assign(1, 0);
}

void SpillChoice::addBlock(unsigned points, float often) {
  change.resize(change.size() + points);
  frequency.resize(frequency.size() + points, often);
}

void SpillChoice::addFixed(const std::vector<Piece> &pieces) {
  for (const Piece &piece : pieces) {
    change[piece.from] += piece.registers;
    change[piece.to] -= piece.registers;
  }
}

void SpillChoice::addValue(Value value) {
  addFixed(value.pieces);
  values.push_back(std::move(value));
}

unsigned SpillChoice::getPeak() {
  pressure.assign(change.size() - 1, 0);
  int sum = 0;
  unsigned peak = 0;
  for (size_t i = 0; i < pressure.size(); ++i) {
    pressure[i] = sum += change[i];
    peak = std::max(peak, pressure[i]);
  }
  return peak;
}

double SpillChoice::prefix(unsigned end) const {
  double sum = 0;
  for (size_t i = end; i; i -= i & -i)
    sum += sums[i];
  return sum;
}

void SpillChoice::unmark(unsigned point) {
  for (size_t i = point + 1; i < sums.size(); i += i & -i)
    sums[i] -= frequency[point];
  --marked;
}

/// Cuts the pieces of the value at its accesses.
void SpillChoice::makeGaps(unsigned index) {
  const Value &value = values[index];
  const unsigned first = gaps.size();
  for (unsigned i = 0; i < value.accesses.size(); ++i)
    gaps.push_back({index, i, {}});
  firstGap.push_back(gaps.size());
  auto put = [&](unsigned gap, unsigned from, unsigned to, unsigned registers) {
    if (from < to)
      gaps[first + gap].pieces.push_back({from, to, registers});
  };
  for (const Piece &piece : value.pieces) {
    // The first access that ends after the piece's begin.
    auto access =
        std::partition_point(value.accesses.begin(), value.accesses.end(),
                             [&](const Access &access) { return access.point + 2 <= piece.from; });
    unsigned from = piece.from;
    while (from < piece.to) {
      const bool isLast = access == value.accesses.end();
      unsigned to = isLast ? piece.to : std::min(piece.to, access->point);
      const bool isLocal =
          !isLast && access != value.accesses.begin() && std::prev(access)->block == access->block;
      put(isLocal ? access - value.accesses.begin() : 0, from, to, piece.registers);
      if (isLast)
        break;
      from = access->point + 2;
      ++access;
    }
  }
}

static float loadCost(const SpillChoice::Value &value, const SpillChoice::Access &access) {
  return access.frequency * float(value.canRepeat ? 1 : 2 + value.size);
}

static float storeCost(const SpillChoice::Value &value, const SpillChoice::Access &access) {
  return value.canRepeat ? 0 : access.frequency * float(2 + value.size);
}

float SpillChoice::getGlobalCost(const Value &value) const {
  float cost = 0;
  const Access *write = nullptr;
  for (size_t i = 0; i < value.accesses.size(); ++i) {
    const Access &access = value.accesses[i];
    const bool isFirst = i == 0 || value.accesses[i - 1].block != access.block;
    const bool isLast =
        i + 1 == value.accesses.size() || value.accesses[i + 1].block != access.block;
    if (isFirst) {
      write = nullptr;
      if (access.reads)
        cost += loadCost(value, access);
    }
    if (access.writes)
      write = &access;
    if (isLast && write && access.isAliveBehind)
      cost += storeCost(value, *write);
  }
  return cost;
}

float SpillChoice::getBenefit(const Gap &gap) const {
  float total = 0;
  for (const Piece &piece : gap.pieces)
    total += float(piece.registers) * float(sum(piece.from, piece.to));
  return total;
}

/// The write before a local gap that nothing has stored for a gap chosen before.
const SpillChoice::Access *SpillChoice::findWrite(const Gap &gap) const {
  const Value &value = values[gap.value];
  const unsigned first = firstGap[gap.value];
  const unsigned block = value.accesses[gap.access].block;
  for (unsigned i = gap.access; i > 0 && value.accesses[i - 1].block == block; --i) {
    if (value.accesses[i - 1].writes)
      return &value.accesses[i - 1];
    if (gaps[first + i - 1].isChosen)
      return nullptr;
  }
  return nullptr;
}

/// What the gap frees for what it costs, with the global one where it needs that.
float SpillChoice::rate(unsigned index) const {
  const Gap &gap = gaps[index];
  const Value &value = values[gap.value];
  const Gap &global = gaps[firstGap[gap.value]];
  const bool withGlobal = !gap.access || (value.crossesBlocks && !global.isChosen);
  float benefit = getBenefit(gap);
  float cost = 0;
  if (gap.access) {
    cost = loadCost(value, value.accesses[gap.access]);
    if (const Access *write = findWrite(gap))
      cost += storeCost(value, *write);
  }
  if (withGlobal) {
    cost += globalCosts[gap.value];
    if (gap.access)
      benefit += getBenefit(global);
  }
  return benefit / std::max(cost, 1e-6f);
}

void SpillChoice::take(Gap &gap) {
  gap.isChosen = true;
  for (const Piece &piece : gap.pieces)
    for (unsigned point = piece.from; point != piece.to; ++point) {
      const bool wasOver = pressure[point] > limit;
      pressure[point] -= piece.registers;
      if (wasOver && pressure[point] <= limit)
        unmark(point);
    }
}

void SpillChoice::choose(unsigned index) {
  Gap &gap = gaps[index];
  Gap &global = gaps[firstGap[gap.value]];
  spilled[gap.value] = true;
  if (values[gap.value].crossesBlocks && !global.isChosen)
    take(global);
  if (!gap.isChosen)
    take(gap);
}

void SpillChoice::markPoints() {
  marked = 0;
  sums.assign(pressure.size() + 1, 0);
  for (size_t i = 1; i < sums.size(); ++i) {
    if (pressure[i - 1] > limit) {
      sums[i] += frequency[i - 1];
      ++marked;
    }
    if (size_t next = i + (i & -i); next < sums.size())
      sums[next] += sums[i];
  }
}

void SpillChoice::run(unsigned maxPressure) {
  limit = maxPressure;
  markPoints();
  globalCosts.clear();
  for (unsigned value = 0; value < values.size(); ++value) {
    makeGaps(value);
    globalCosts.push_back(getGlobalCost(values[value]));
  }
  spilled.assign(values.size(), false);

  // A gap's rate falls as others are chosen, but for those of the same value, which are put in
  // again: the first in the queue whose rate still holds is the best.
  std::priority_queue<std::pair<float, unsigned>> queue;
  auto push = [&](unsigned gap) {
    if (!gaps[gap].pieces.empty() && !gaps[gap].isChosen)
      if (float now = rate(gap); now > leastRate)
        queue.push({now, gap});
  };
  for (unsigned gap = 0; gap < gaps.size(); ++gap)
    push(gap);
  while (!queue.empty() && marked) {
    unsigned gap = queue.top().second;
    queue.pop();
    if (gaps[gap].isChosen)
      continue;
    const float now = rate(gap);
    if (now <= leastRate)
      continue;
    if (!queue.empty() && now < queue.top().first) {
      queue.push({now, gap});
      continue;
    }
    choose(gap);
    const unsigned value = gaps[gap].value;
    for (unsigned other = firstGap[value]; other < firstGap[value + 1]; ++other)
      push(other);
  }
}

bool SpillChoice::isApart(unsigned value, unsigned access) const {
  const Value &at = values[value];
  return at.accesses[access].block != at.accesses[access - 1].block ||
         gaps[firstGap[value] + access].isChosen;
}
