//===- Folder.cpp - The entries of a cache in a folder ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cache/Folder.h"

#include "cache/LockBytes.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::cache;
using std::chrono::system_clock;

static constexpr std::string_view kernelSuffix = ".kernel", inputsSuffix = ".inputs",
                                  partialSuffix = ".partial";

/// No entry has more bytes. A file of such a name that has is damaged, and not worth its memory.
static constexpr off_t maxEntryBytes = off_t(1) << 30;

/// After this long, nobody writes at a file any more.
static constexpr std::chrono::hours unfinishedAge{1};

//===--------------------------------------------------------------------------===//
// One entry
//===--------------------------------------------------------------------------===//

static std::string_view suffixOf(EntryKind kind) {
  return kind == EntryKind::Kernel ? kernelSuffix : inputsSuffix;
}

static Diagnostic writeError(const std::string &directory, int error) {
  return makeFileError(directory,
                       std::string("compiled kernels cannot be kept here: ") + std::strerror(error),
                       "name another folder in TILEWRIGHT_CACHE_DIR, or say TILEWRIGHT_CACHE=off");
}

Folder::Folder(std::string directory, uint64_t maxBytes)
    : root(std::move(directory)), maxBytes(maxBytes), counts(root + "/counters", lockFile()) {}

Expected<Folder> Folder::open(std::string directory, uint64_t maxBytes) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error)
    return writeError(directory, error.value());
  if (::access(directory.c_str(), R_OK | W_OK | X_OK) != 0)
    return writeError(directory, errno);
  return Folder(std::move(directory), maxBytes);
}

std::string Folder::pathOf(const Key &key, EntryKind kind) const {
  const std::string hex = key.hex();
  return root + "/" + hex.substr(0, 2) + "/" + hex.substr(2) + std::string(suffixOf(kind));
}

std::optional<std::string> Folder::read(const Key &key, EntryKind kind) const {
  // Whatever has the name: a pipe would not give a descriptor before somebody writes to it.
  const int descriptor = ::open(pathOf(key, kind).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0)
    return std::nullopt;
  struct stat status = {};
  std::string entry;
  if (::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
      status.st_size <= maxEntryBytes)
    entry.resize(static_cast<size_t>(status.st_size));
  size_t size = 0;
  while (size < entry.size()) {
    const ssize_t count = ::read(descriptor, entry.data() + size, entry.size() - size);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      break;
    size += static_cast<size_t>(count);
  }
  ::close(descriptor);
  entry.resize(size);
  return entry;
}

void Folder::touch(const Key &key, EntryKind kind) const {
  ::utimensat(AT_FDCWD, pathOf(key, kind).c_str(), nullptr, 0);
}

void Folder::remove(const Key &key, EntryKind kind) const { ::unlink(pathOf(key, kind).c_str()); }

/// Writes a file that is not there yet; 0, or the error that there was.
static int writeNewFile(const std::string &path, std::string_view bytes) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return errno;
  int error = 0;
  while (!bytes.empty() && !error) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count >= 0)
      bytes.remove_prefix(static_cast<size_t>(count));
    else if (errno != EINTR)
      error = errno;
  }
  // Some file systems say only now that there is no space.
  if (::close(descriptor) != 0 && !error)
    error = errno;
  return error;
}

/// Writes the file beside its place and moves it there.
static int replaceFile(const std::string &path, std::string_view bytes) {
  static std::atomic<unsigned> number{0};
  const std::string partial = path + "." + std::to_string(::getpid()) + "-" +
                              std::to_string(number++) + std::string(partialSuffix);
  // Left by a process that had this id before.
  ::unlink(partial.c_str());
  int error = writeNewFile(partial, bytes);
  if (!error && ::rename(partial.c_str(), path.c_str()) != 0)
    error = errno;
  if (error)
    ::unlink(partial.c_str());
  return error;
}

Expected<void> Folder::write(const Key &key, EntryKind kind, std::string_view entry) {
  if (entry.size() > std::min(maxBytes, uint64_t(maxEntryBytes)))
    return {};
  const std::string path = pathOf(key, kind);
  int error = replaceFile(path, entry);
  if (error == ENOENT) {
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    error = replaceFile(path, entry);
  }
  if (error)
    return writeError(root, error);
  // Without counts nobody knows how much there is.
  const bool isCounted = counts.read().has_value();
  std::optional<Counts> now = counts.update([&](Counts &counts) {
    ++counts.written;
    counts.bytes += entry.size();
  });
  if (!isCounted || (now && now->bytes > maxBytes))
    makeRoom();
  return {};
}

//===--------------------------------------------------------------------------===//
// All entries
//===--------------------------------------------------------------------------===//

/// Calls `visit` with the name of each file in a folder.
template <typename Visit> static void forEachName(const std::string &folder, Visit visit) {
  DIR *stream = ::opendir(folder.c_str());
  if (!stream)
    return;
  while (const dirent *entry = ::readdir(stream))
    visit(std::string_view(entry->d_name));
  ::closedir(stream);
}

static bool isHex(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

/// Takes apart the name of a file in the folder `first`, two hexadecimal digits; false if it is
/// none of ours.
static bool parseName(std::string_view first, std::string_view name, FolderEntry &entry) {
  constexpr size_t digits = 2 * sizeof(Key) - 2;
  if (name.size() <= digits || !isHex(name.substr(0, digits)))
    return false;
  std::string hex = std::string(first) + std::string(name.substr(0, digits));
  std::string bytes = llvm::fromHex(hex);
  std::copy(bytes.begin(), bytes.end(), entry.key.bytes.begin());
  const std::string_view suffix = name.substr(digits);
  if (suffix == kernelSuffix)
    entry.kind = EntryKind::Kernel;
  else if (suffix == inputsSuffix)
    entry.kind = EntryKind::Inputs;
  else
    return suffix.ends_with(partialSuffix);
  return true;
}

std::vector<FolderEntry> Folder::list() const {
  std::vector<FolderEntry> entries;
  forEachName(root, [&](std::string_view first) {
    if (first.size() != 2 || !isHex(first))
      return;
    const std::string folder = root + "/" + std::string(first);
    forEachName(folder, [&](std::string_view name) {
      FolderEntry entry;
      struct stat status = {};
      entry.path = folder + "/" + std::string(name);
      if (!parseName(first, name, entry) || ::stat(entry.path.c_str(), &status) != 0)
        return;
      entry.bytes = static_cast<uint64_t>(status.st_size);
      entry.used =
          system_clock::time_point(std::chrono::seconds(status.st_mtim.tv_sec) +
                                   std::chrono::microseconds(status.st_mtim.tv_nsec / 1000));
      entries.push_back(std::move(entry));
    });
  });
  return entries;
}

/// Whether the file was not finished, and nobody writes at it any more.
static bool isAbandoned(const FolderEntry &entry, system_clock::time_point now) {
  return !entry.kind && now - entry.used > unfinishedAge;
}

uint64_t Folder::makeRoom() {
  FileLock lock(lockFile(), evictionLock);
  // Another one is at it.
  if (lock.tryAcquire() == FileLock::Attempt::Busy)
    return 0;
  const uint64_t countedBefore = counts.read().value_or(Counts()).bytes;
  std::vector<FolderEntry> entries = list();
  const system_clock::time_point now = system_clock::now();
  uint64_t bytes = 0;
  std::erase_if(entries, [&](FolderEntry &entry) {
    if (entry.used > now) {
      // The clock was ahead when it was used. From now on it grows old like all others.
      entry.used = now;
      ::utimensat(AT_FDCWD, entry.path.c_str(), nullptr, 0);
    }
    bytes += entry.kind ? entry.bytes : 0;
    if (isAbandoned(entry, now))
      ::unlink(entry.path.c_str());
    return !entry.kind;
  });
  std::sort(entries.begin(), entries.end(),
            [](const FolderEntry &a, const FolderEntry &b) { return a.used < b.used; });
  uint64_t evicted = 0;
  const uint64_t enough = bytes > maxBytes ? maxBytes / 10 * 9 : bytes;
  for (const FolderEntry &entry : entries) {
    if (bytes <= enough)
      break;
    if (::unlink(entry.path.c_str()) == 0)
      ++evicted;
    bytes -= entry.bytes;
  }
  counts.update([&](Counts &counts) {
    counts.evicted += evicted;
    // What others have written meanwhile may be among the entries, or not.
    counts.bytes = bytes + (counts.bytes - std::min(counts.bytes, countedBefore));
  });
  return evicted;
}

Expected<uint64_t> Folder::clear() {
  uint64_t removed = 0;
  const system_clock::time_point now = system_clock::now();
  for (const FolderEntry &entry : list()) {
    if (!entry.kind && !isAbandoned(entry, now))
      continue;
    if (::unlink(entry.path.c_str()) == 0)
      removed += entry.kind == EntryKind::Kernel;
    else if (errno != ENOENT)
      return makeFileError(entry.path,
                           std::string("cannot remove the file: ") + std::strerror(errno),
                           "remove it as its owner");
  }
  counts.update([](Counts &counts) { counts = {}; });
  return removed;
}

std::unique_ptr<FileLock> Folder::lockFor(const Key &request) const {
  uint64_t byte = 0;
  for (unsigned i = 0; i < requestLockBytes; ++i)
    byte = byte << 8 | request.bytes[i];
  return std::make_unique<FileLock>(lockFile(), requestLocks + byte);
}
