//===- LineDiff.cpp - What a pass changed in the text of the IR ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "report/LineDiff.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <algorithm>

using namespace llvm;
using namespace tilewright;
using namespace tilewright::report;

//===--------------------------------------------------------------------------===//
// Sequences
//===--------------------------------------------------------------------------===//

namespace {

/// A pair of equal lines.
struct Match {
  unsigned old, now;
};

/// Myers' greedy search for the longest common subsequence of two sequences.
class MyersSearch {
public:
  MyersSearch(ArrayRef<unsigned> old, ArrayRef<unsigned> now, unsigned maxDifferences)
      : old(old), now(now),
        limit(static_cast<int>(std::min<size_t>(maxDifferences, old.size() + now.size()))),
        farthest(2 * limit + 3, 0) {}

  /// The matches, from the last to the first; nothing if there are too many differences.
  std::optional<std::vector<Match>> run() {
    for (int differences = 0; differences <= limit; ++differences) {
      // The states of this round read those of the one before.
      history.emplace_back(farthest.begin() + (limit + 1 - differences),
                           farthest.begin() + (limit + 2 + differences));
      for (int diagonal = -differences; diagonal <= differences; diagonal += 2)
        if (advance(diagonal, differences))
          return trace(differences);
    }
    return std::nullopt;
  }

private:
  /// How far along `old` the path on a diagonal (old - now) has come.
  int &at(int diagonal) { return farthest[diagonal + limit + 1]; }

  static bool comesDown(int diagonal, int differences, int below, int above) {
    return diagonal == -differences || (diagonal != differences && below < above);
  }

  bool advance(int diagonal, int differences) {
    int x = comesDown(diagonal, differences, at(diagonal - 1), at(diagonal + 1))
                ? at(diagonal + 1)
                : at(diagonal - 1) + 1;
    while (x < int(old.size()) && x - diagonal < int(now.size()) && old[x] == now[x - diagonal])
      ++x;
    at(diagonal) = x;
    return x >= int(old.size()) && x - diagonal >= int(now.size());
  }

  std::vector<Match> trace(int differences) const {
    std::vector<Match> matches;
    int x = static_cast<int>(old.size()), y = static_cast<int>(now.size());
    auto takeMatches = [&](int untilX, int untilY) {
      while (x > untilX && y > untilY) {
        --x, --y;
        matches.push_back({unsigned(x), unsigned(y)});
      }
    };
    for (; differences > 0; --differences) {
      const std::vector<int> &before = history[differences];
      auto was = [&](int diagonal) { return before[diagonal + differences]; };
      const int diagonal = x - y;
      const bool down = diagonal == -differences ||
                        (diagonal != differences && was(diagonal - 1) < was(diagonal + 1));
      const int from = down ? diagonal + 1 : diagonal - 1;
      const int fromX = was(from), fromY = fromX - from;
      takeMatches(down ? fromX : fromX + 1, down ? fromY + 1 : fromY);
      x = fromX, y = fromY;
    }
    takeMatches(0, 0);
    return matches;
  }

  ArrayRef<unsigned> old, now;
  const int limit;
  std::vector<int> farthest;
  std::vector<std::vector<int>> history;
};

/// The parts that no match covers.
std::vector<Hunk> hunksBetween(ArrayRef<Match> matches, unsigned oldCount, unsigned newCount) {
  std::vector<Hunk> hunks;
  unsigned oldAt = 0, newAt = 0;
  auto end = [&](unsigned oldEnd, unsigned newEnd) {
    if (oldEnd > oldAt || newEnd > newAt)
      hunks.push_back({oldAt, oldEnd - oldAt, newAt, newEnd - newAt});
  };
  for (const Match &match : matches) {
    end(match.old, match.now);
    oldAt = match.old + 1, newAt = match.now + 1;
  }
  end(oldCount, newCount);
  return hunks;
}

/// The matches in order: equal lines at both ends are found first.
std::vector<Match> matchSequences(ArrayRef<unsigned> old, ArrayRef<unsigned> now,
                                  unsigned maxDifferences) {
  unsigned head = 0, tail = 0;
  const unsigned shorter = std::min(old.size(), now.size());
  while (head < shorter && old[head] == now[head])
    ++head;
  while (tail < shorter - head && old[old.size() - 1 - tail] == now[now.size() - 1 - tail])
    ++tail;
  std::vector<Match> matches;
  for (unsigned i = 0; i < head; ++i)
    matches.push_back({i, i});
  auto inner = MyersSearch(old.drop_front(head).drop_back(tail),
                           now.drop_front(head).drop_back(tail), maxDifferences)
                   .run();
  if (inner)
    for (const Match &match : reverse(*inner))
      matches.push_back({match.old + head, match.now + head});
  for (unsigned i = tail; i > 0; --i)
    matches.push_back({unsigned(old.size()) - i, unsigned(now.size()) - i});
  return matches;
}

} // namespace

std::vector<Hunk> report::diffSequences(ArrayRef<unsigned> old, ArrayRef<unsigned> now,
                                        unsigned maxDifferences) {
  return hunksBetween(matchSequences(old, now, maxDifferences), old.size(), now.size());
}

//===--------------------------------------------------------------------------===//
// IR
//===--------------------------------------------------------------------------===//

namespace {

/// A line with its names taken out.
struct IRLine {
  std::string shape;
  SmallVector<StringRef> names;
};

bool isOfName(char c) { return isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-'; }

/// Names begin with % (values) or ^ (blocks).
IRLine readLine(StringRef line) {
  IRLine result;
  while (!line.empty()) {
    const char c = line.front();
    if (c != '%' && c != '^') {
      result.shape += c;
      line = line.drop_front();
      continue;
    }
    size_t end = 1;
    while (end < line.size() && isOfName(line[end]))
      ++end;
    result.names.push_back(line.take_front(end));
    result.shape += c;
    line = line.drop_front(end);
  }
  return result;
}

std::vector<IRLine> readLines(StringRef text) {
  std::vector<IRLine> lines;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    lines.push_back(readLine(line));
    text = rest;
  }
  return lines;
}

/// Names of the old text and what they are called in the new one.
class Renaming {
public:
  /// Whether the names of two aligned lines fit together; those that are new are paired.
  bool fits(const IRLine &old, const IRLine &now) {
    bool fine = true;
    for (auto [a, b] : zip_equal(old.names, now.names))
      fine = pair(a, b) && fine;
    return fine;
  }

private:
  bool pair(StringRef old, StringRef now) {
    auto forward = newOf.find(old), backward = oldOf.find(now);
    if (forward == newOf.end() && backward == oldOf.end()) {
      newOf[old] = now;
      oldOf[now] = old;
      return true;
    }
    return forward != newOf.end() && forward->second == now;
  }

  StringMap<StringRef> newOf, oldOf;
};

} // namespace

std::vector<Hunk> report::diffIR(StringRef oldText, StringRef newText) {
  const std::vector<IRLine> old = readLines(oldText), now = readLines(newText);
  StringMap<unsigned> numberOf;
  auto number = [&](const std::vector<IRLine> &lines) {
    std::vector<unsigned> numbers;
    for (const IRLine &line : lines)
      numbers.push_back(numberOf.try_emplace(line.shape, numberOf.size()).first->second);
    return numbers;
  };
  const std::vector<unsigned> oldNumbers = number(old), newNumbers = number(now);
  std::vector<Match> matches = matchSequences(oldNumbers, newNumbers, 2000);
  Renaming renaming;
  erase_if(matches,
           [&](const Match &match) { return !renaming.fits(old[match.old], now[match.now]); });
  return hunksBetween(matches, old.size(), now.size());
}
