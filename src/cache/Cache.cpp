//===- Cache.cpp - Compiled kernels, kept by content --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/Cache.h"

#include "cache/Entry.h"
#include "cache/Folder.h"
#include "cache/Identity.h"
#include "cache/Record.h"
#include "cache/Redis.h"
#include "cache/Seal.h"

#include <algorithm>
#include <atomic>
#include <thread>

using namespace tilewright;
using namespace tilewright::cache;

/// How long to wait for another process that compiles the same, before compiling it as well. It may
/// have been stopped.
static constexpr std::chrono::seconds patience{60};

/// The most lists of inputs that are kept for a request.
static constexpr size_t maxInputLists = 8;

struct Cache::Tiers {
  CacheOptions options;
  Folder folder;
  std::unique_ptr<Redis> redis;
  /// Whether a user of this object has been told that nothing can be written.
  std::atomic<bool> hasToldOfWriting{false};
};

//===--------------------------------------------------------------------------===//
// One compilation
//===--------------------------------------------------------------------------===//

namespace {

/// A result with the key under which it is kept.
struct Found {
  CompileResult result;
  Key key;
};

/// Looks for the result of one request, and keeps it.
class Lookup {
public:
  Lookup(Folder &folder, Redis *redis, const Key &request, const FileReader &reader)
      : folder(folder), redis(redis), request(request), reader(reader) {}

  std::optional<CompileResult> findInFolder();
  /// Also copies it into the folder.
  std::optional<CompileResult> findInRedis();
  void keep(const CompileResult &result);

  /// What is to be said of the cache, beside what is said of the kernel.
  std::vector<Diagnostic> remarks;
  /// Why an entry could not be written.
  std::optional<Diagnostic> writeError;

private:
  using Fetch = std::optional<std::string> (Lookup::*)(const Key &, EntryKind);
  std::optional<Found> find(Fetch fetch);
  std::optional<std::string> fetchFromFolder(const Key &key, EntryKind kind);
  std::optional<std::string> fetchFromRedis(const Key &key, EntryKind kind);
  void addInputList(const InputNames &names);
  void write(const Key &key, EntryKind kind, const std::string &entry);
  void addRemark(std::string where, const std::string &what);

  Folder &folder;
  Redis *const redis;
  const Key request;
  const FileReader &reader;
};

} // namespace

void Lookup::addRemark(std::string where, const std::string &what) {
  Diagnostic warning =
      makeFileError(std::move(where), "this entry of the cache is damaged: " + what,
                    "the kernel was compiled anew; if it happens again, look at the disk");
  warning.severity = Severity::Warning;
  remarks.push_back(std::move(warning));
}

std::optional<std::string> Lookup::fetchFromFolder(const Key &key, EntryKind kind) {
  std::optional<std::string> entry = folder.read(key, kind);
  if (!entry)
    return std::nullopt;
  Result<std::string> content = readEntry(key, *entry);
  if (!content) {
    addRemark(folder.pathOf(key, kind), content.error());
    folder.remove(key, kind);
    folder.counters().update([](Counts &counts) { ++counts.damaged; });
    return std::nullopt;
  }
  folder.touch(key, kind);
  return *std::move(content);
}

std::optional<std::string> Lookup::fetchFromRedis(const Key &key, EntryKind kind) {
  std::optional<std::string> entry = redis->get(key, remarks);
  if (!entry)
    return std::nullopt;
  Result<std::string> content = readEntry(key, *entry);
  if (!content) {
    addRemark("redis key tilewright:" + key.hex(), content.error());
    return std::nullopt;
  }
  return *std::move(content);
}

std::optional<Found> Lookup::find(Fetch fetch) {
  auto findFor = [&](const Inputs &inputs) -> std::optional<Found> {
    const Key key = resultKey(request, inputs);
    std::optional<std::string> content = (this->*fetch)(key, EntryKind::Kernel);
    if (!content)
      return std::nullopt;
    if (auto result = readResult(*content))
      return Found{std::move(*result), key};
    addRemark(folder.pathOf(key, EntryKind::Kernel), "it holds no result");
    folder.remove(key, EntryKind::Kernel);
    return std::nullopt;
  };
  // Most kernels depend on nothing else; whether one does, follows from the request.
  if (auto found = findFor({}))
    return found;
  std::optional<std::string> content = (this->*fetch)(request, EntryKind::Inputs);
  std::optional<InputLists> lists = content ? readInputLists(*content) : std::nullopt;
  for (const InputNames &names : lists.value_or(InputLists()))
    if (auto found = findFor(readInputs(names, reader)))
      return found;
  return std::nullopt;
}

std::optional<CompileResult> Lookup::findInFolder() {
  std::optional<Found> found = find(&Lookup::fetchFromFolder);
  return found ? std::optional(std::move(found->result)) : std::nullopt;
}

std::optional<CompileResult> Lookup::findInRedis() {
  if (!redis)
    return std::nullopt;
  std::optional<Found> found = find(&Lookup::fetchFromRedis);
  if (!found)
    return std::nullopt;
  addInputList(namesOf(inputsOf(*found->result.compilation)));
  write(found->key, EntryKind::Kernel, writeEntry(found->key, writeResult(found->result)));
  return std::move(found->result);
}

void Lookup::write(const Key &key, EntryKind kind, const std::string &entry) {
  if (Expected<void> done = folder.write(key, kind, entry); !done)
    writeError = done.error();
}

/// Puts the names in front of the request's list, where they are not alone. Whoever compiles has
/// the request's lock; two who could not have it may lose a list, and compile once more.
void Lookup::addInputList(const InputNames &names) {
  if (names == InputNames())
    return;
  std::optional<std::string> content = fetchFromFolder(request, EntryKind::Inputs);
  InputLists lists = content ? readInputLists(*content).value_or(InputLists()) : InputLists();
  std::erase(lists, names);
  lists.insert(lists.begin(), names);
  lists.resize(std::min(lists.size(), maxInputLists));
  const std::string entry = writeEntry(request, writeInputLists(lists));
  write(request, EntryKind::Inputs, entry);
  if (redis)
    redis->put(request, entry, remarks);
}

void Lookup::keep(const CompileResult &result) {
  const Inputs inputs = inputsOf(*result.compilation);
  addInputList(namesOf(inputs));
  const Key key = resultKey(request, inputs);
  const std::string entry = writeEntry(key, writeResult(result));
  write(key, EntryKind::Kernel, entry);
  if (redis)
    redis->put(key, entry, remarks);
}

CompileResult Cache::compile(const Source &source, const CompileOptions &options,
                             const FileReader &reader,
                             const std::function<CompileResult()> &compileAnew) {
  if (!options.dumpPassesDirectory.empty())
    return compileAnew();
  const auto start = std::chrono::steady_clock::now();
  Folder &folder = tiers->folder;
  const Key request = requestKey(source, options, compilerIdentity());
  Lookup lookup(folder, tiers->redis.get(), request, reader);

  auto finish = [&](CompileResult result) {
    result.diagnostics.insert(result.diagnostics.end(), lookup.remarks.begin(),
                              lookup.remarks.end());
    if (lookup.writeError && !tiers->hasToldOfWriting.exchange(true)) {
      lookup.writeError->severity = Severity::Note;
      result.diagnostics.push_back(*lookup.writeError);
    }
    return result;
  };
  auto finishFound = [&](CompileResult result, uint64_t Counts::*count) {
    folder.counters().update([&](Counts &counts) { ++(counts.*count); });
    result.isCached = true;
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    result.compilation->times = {{"cache", taken.count()}};
    return finish(std::move(result));
  };

  std::unique_ptr<FileLock> lock;
  for (;;) {
    if (auto found = lookup.findInFolder())
      return finishFound(std::move(*found), &Counts::hits);
    // Once more after the lock was taken: another one may have come first.
    if (lock && lock->tryAcquire() != FileLock::Attempt::Busy)
      break;
    if (!lock) {
      lock = folder.lockFor(request);
      if (lock->tryAcquire() != FileLock::Attempt::Busy)
        continue;
    }
    if (std::chrono::steady_clock::now() - start > patience)
      break;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  if (auto found = lookup.findInRedis())
    return finishFound(std::move(*found), &Counts::sharedHits);

  folder.counters().update([](Counts &counts) { ++counts.misses; });
  CompileResult result = compileAnew();
  if (result)
    lookup.keep(result);
  return finish(std::move(result));
}

//===--------------------------------------------------------------------------===//
// The cache as a whole
//===--------------------------------------------------------------------------===//

Cache::Cache(std::unique_ptr<Tiers> tiers) : tiers(std::move(tiers)) {}
Cache::~Cache() = default;

const CacheOptions &Cache::options() const { return tiers->options; }
const std::string &Cache::compilerIdentity() { return cache::compilerIdentity(); }

Expected<std::shared_ptr<Cache>> Cache::open(CacheOptions options) {
  Expected<Folder> folder = Folder::open(options.directory, options.maxBytes);
  if (!folder)
    return folder.error();
  std::unique_ptr<Redis> redis;
  if (!options.redis.empty()) {
    auto opened = Redis::open(options, options.directory + "/redis-failed");
    if (!opened)
      return opened.error();
    redis = std::move(*opened);
  }
  return std::shared_ptr<Cache>(new Cache(
      std::unique_ptr<Tiers>(new Tiers{std::move(options), std::move(*folder), std::move(redis)})));
}

CacheStatus Cache::status() const {
  CacheStatus status;
  for (const FolderEntry &entry : tiers->folder.list()) {
    status.entries += entry.kind == EntryKind::Kernel;
    status.bytes += entry.bytes;
  }
  const Counts counts = tiers->folder.counters().read().value_or(Counts());
  status.hits = counts.hits;
  status.sharedHits = counts.sharedHits;
  status.misses = counts.misses;
  status.evicted = counts.evicted;
  status.damaged = counts.damaged;
  return status;
}

Expected<uint64_t> Cache::clean() { return tiers->folder.clear(); }

/// What is wrong with an entry; empty if nothing is.
static std::string findDamage(const Folder &folder, const FolderEntry &entry) {
  std::optional<std::string> bytes = folder.read(entry.key, *entry.kind);
  // It was removed meanwhile.
  if (!bytes)
    return {};
  // Those of another version of the compiler nobody asks for here: they go when they are the
  // oldest.
  if (isOfOtherVersion(*bytes))
    return {};
  Result<std::string> content = readEntry(entry.key, *bytes);
  if (!content)
    return content.error();
  if (entry.kind == EntryKind::Kernel ? readResult(*content).has_value()
                                      : readInputLists(*content).has_value())
    return {};
  return "it is whole, but does not hold what it should";
}

std::vector<Diagnostic> Cache::verify() const {
  std::vector<Diagnostic> errors;
  for (const FolderEntry &entry : tiers->folder.list())
    if (std::string damage = entry.kind ? findDamage(tiers->folder, entry) : ""; !damage.empty())
      errors.push_back(makeFileError(entry.path, "this entry is damaged: " + damage,
                                     "remove it; whoever needs it compiles anew"));
  return errors;
}
