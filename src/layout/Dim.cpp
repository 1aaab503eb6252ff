//===- Dim.cpp - Interned names of layout dimensions --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/layout/Dim.h"

#include <cassert>
#include <deque>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>

using namespace tilewright;
using namespace tilewright::layout;

namespace {

/// Names by number and numbers by name. Names live in a deque, which never moves them.
class NameTable {
public:
  NameTable() {
    for (std::string_view name : {"register", "lane", "warp", "block", "offset"})
      add(name);
    for (unsigned i = 0; i < 5; ++i)
      add("dim" + std::to_string(i));
  }

  uint32_t get(std::string_view name) {
    {
      std::shared_lock lock(mutex);
      if (auto found = ids.find(name); found != ids.end())
        return found->second;
    }
    std::unique_lock lock(mutex);
    if (auto found = ids.find(name); found != ids.end())
      return found->second;
    return add(name);
  }

  std::string_view name(uint32_t id) {
    std::shared_lock lock(mutex);
    return names[id];
  }

private:
  uint32_t add(std::string_view name) {
    auto id = static_cast<uint32_t>(names.size());
    ids.emplace(names.emplace_back(name), id);
    return id;
  }

  std::shared_mutex mutex;
  std::deque<std::string> names;
  std::unordered_map<std::string_view, uint32_t> ids;
};

NameTable &table() {
  static NameTable instance;
  return instance;
}

} // namespace

Dim Dim::get(std::string_view name) {
  assert(!name.empty() && "a dimension has a name");
  return Dim(table().get(name));
}

Dim Dim::tensor(unsigned index) {
  if (index < 5)
    return Dim(dims::Dim0.id + index);
  return get("dim" + std::to_string(index));
}

std::string_view Dim::name() const { return table().name(id); }
