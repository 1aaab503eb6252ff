//===- Folder.h - The entries of a cache in a folder ----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
//   DIRECTORY/3f/a2..9c.kernel     an entry, named by its key: a result
//   DIRECTORY/3f/07..11.inputs     an entry: what results of a request depend on
//   DIRECTORY/3f/*.partial         an entry that is being written
//   DIRECTORY/counters             how many hits there were, and so on (Counters.h)
//   DIRECTORY/locks                has no bytes; locks are taken on them (FileLock.h)
//
// An entry is written beside its place and moved there, so it is there as a whole or not at all, as
// long as the machine runs. What a machine that stopped has left of it shows by the checksum; so
// nothing waits for the disk. A file's time of change is that of its last use.
//
// Nothing but files of such names is ever removed, whatever else the folder holds.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CACHE_FOLDER_H
#define TILEWRIGHT_CACHE_FOLDER_H

#include "cache/Counters.h"
#include "cache/FileLock.h"
#include "cache/Key.h"

#include <chrono>

namespace tilewright::cache {

enum class EntryKind { Kernel, Inputs };

/// A file of the folder.
struct FolderEntry {
  std::string path;
  /// Nothing for one that is being written, or that nobody finished.
  std::optional<EntryKind> kind;
  Key key;
  uint64_t bytes = 0;
  std::chrono::system_clock::time_point used;
};

class Folder {
public:
  /// Errors: the folder cannot be made, or not be written.
  static Expected<Folder> open(std::string directory, uint64_t maxBytes);

  std::string pathOf(const Key &key, EntryKind kind) const;
  /// The entry's bytes, whatever they are; nothing if there is none.
  std::optional<std::string> read(const Key &key, EntryKind kind) const;
  /// Notes that the entry is in use.
  void touch(const Key &key, EntryKind kind) const;
  void remove(const Key &key, EntryKind kind) const;
  /// Writes the entry, and removes others where there are more than maxBytes now. Errors: what the
  /// system says; the folder is as it was.
  Expected<void> write(const Key &key, EntryKind kind, std::string_view entry);

  /// All of them. Others may come and go meanwhile.
  std::vector<FolderEntry> list() const;
  /// Removes what was not used for longest until nine tenths of maxBytes are left, if there are
  /// more than that, and what was left unfinished an hour ago. Gives how many entries that were.
  uint64_t makeRoom();
  /// Removes all entries but those that are being written, and gives the number of results. Errors:
  /// the first file that cannot be removed.
  Expected<uint64_t> clear();

  const Counters &counters() const { return counts; }
  const std::string &directory() const { return root; }
  /// The lock on who compiles what a request asks for.
  std::unique_ptr<FileLock> lockFor(const Key &request) const;

private:
  Folder(std::string root, uint64_t maxBytes);
  std::string lockFile() const { return root + "/locks"; }

  std::string root;
  uint64_t maxBytes;
  Counters counts;
};

} // namespace tilewright::cache

#endif // TILEWRIGHT_CACHE_FOLDER_H
