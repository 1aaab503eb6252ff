//===- FolderTest.cpp - The files of a cache ----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cache/Folder.h"
#include "test/unit/cache/CacheTestSupport.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

using namespace tilewright;
using namespace tilewright::cache;
using namespace tilewright::test;
using testing::HasSubstr;

namespace {

Key key(int number) { return hashOf(std::to_string(number)); }

/// Makes a file look as if it was last used so many seconds ago.
void setAge(const std::string &path, int64_t seconds) {
  timespec times[2];
  clock_gettime(CLOCK_REALTIME, &times[0]);
  times[0].tv_sec -= seconds;
  times[1] = times[0];
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

struct CacheFolder : testing::Test {
  ScratchFolder scratch;

  Folder open(uint64_t maxBytes = 1000) { return *Folder::open(scratch.path(), maxBytes); }

  /// The numbers of those of the first entries that are there.
  std::vector<int> there(const Folder &folder, int count) {
    std::vector<int> numbers;
    for (int i = 0; i < count; ++i)
      if (folder.read(key(i), EntryKind::Kernel))
        numbers.push_back(i);
    return numbers;
  }
};

} // namespace

TEST_F(CacheFolder, GivesBackWhatWasWritten) {
  Folder folder = open();
  EXPECT_FALSE(folder.read(key(1), EntryKind::Kernel));
  ASSERT_TRUE(folder.write(key(1), EntryKind::Kernel, "one"));
  ASSERT_TRUE(folder.write(key(1), EntryKind::Inputs, "two"));
  ASSERT_TRUE(folder.write(key(1), EntryKind::Kernel, "three"));
  EXPECT_EQ(folder.read(key(1), EntryKind::Kernel), "three");
  EXPECT_EQ(folder.read(key(1), EntryKind::Inputs), "two");
  EXPECT_EQ(folder.list().size(), 2u);
  EXPECT_EQ(scratch.filesEndingIn(".partial").size(), 0u);
  folder.remove(key(1), EntryKind::Kernel);
  EXPECT_FALSE(folder.read(key(1), EntryKind::Kernel));
}

TEST_F(CacheFolder, RemovesWhatWasNotUsedForLongest) {
  Folder folder = open(1000);
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(folder.write(key(i), EntryKind::Kernel, std::string(100, 'x')));
    setAge(folder.pathOf(key(i), EntryKind::Kernel), 1000 - i);
  }
  EXPECT_EQ(there(folder, 10).size(), 10u) << "as much as there may be";
  folder.touch(key(0), EntryKind::Kernel);
  // The eleventh: nine tenths are left.
  ASSERT_TRUE(folder.write(key(10), EntryKind::Kernel, std::string(100, 'x')));
  EXPECT_EQ(there(folder, 11), (std::vector<int>{0, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(folder.counters().read()->evicted, 2u);
  EXPECT_EQ(folder.counters().read()->bytes, 900u);
}

TEST_F(CacheFolder, AClockThatWasAheadDoesNotKeepEntriesForEver) {
  Folder folder = open(1000);
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(folder.write(key(i), EntryKind::Kernel, std::string(100, 'x')));
  setAge(folder.pathOf(key(0), EntryKind::Kernel), -1000000);
  for (int i = 1; i < 10; ++i)
    setAge(folder.pathOf(key(i), EntryKind::Kernel), 10);
  ASSERT_TRUE(folder.write(key(10), EntryKind::Kernel, std::string(100, 'x')));
  // It was last used now, as far as one can know. From here on it grows old.
  EXPECT_TRUE(folder.read(key(0), EntryKind::Kernel));
  struct stat status = {};
  ASSERT_EQ(::stat(folder.pathOf(key(0), EntryKind::Kernel).c_str(), &status), 0);
  EXPECT_LE(status.st_mtim.tv_sec, ::time(nullptr));
}

TEST_F(CacheFolder, DoesNotKeepWhatIsTooLarge) {
  Folder folder = open(1000);
  ASSERT_TRUE(folder.write(key(1), EntryKind::Kernel, "small"));
  ASSERT_TRUE(folder.write(key(2), EntryKind::Kernel, std::string(1001, 'x')));
  EXPECT_EQ(there(folder, 3), (std::vector<int>{1}));
}

TEST_F(CacheFolder, CountsAnewWhatWasNotCounted) {
  Folder folder = open(1000);
  for (int i = 0; i < 5; ++i)
    ASSERT_TRUE(folder.write(key(i), EntryKind::Kernel, std::string(100, 'x')));
  for (const char *damaged :
       {"", "nonsense", "TWCACHE1 and so on, for more than the counters have"}) {
    std::ofstream(scratch.path() + "/counters") << damaged;
    EXPECT_FALSE(folder.counters().read());
    ASSERT_TRUE(folder.write(key(0), EntryKind::Kernel, std::string(100, 'x')));
    EXPECT_EQ(folder.counters().read()->bytes, 500u) << "the five that there are";
  }
}

TEST_F(CacheFolder, LeavesOtherFilesAlone) {
  const std::string mine = scratch.path() + "/mine.txt",
                    inside = scratch.path() + "/ab/mine.kernel";
  std::filesystem::create_directories(scratch.path() + "/ab");
  std::ofstream(mine) << "mine";
  std::ofstream(inside) << std::string(5000, 'x');
  Folder folder = open(1000);
  ASSERT_TRUE(folder.write(key(1), EntryKind::Kernel, "one"));
  folder.makeRoom();
  EXPECT_EQ(*folder.clear(), 1u);
  EXPECT_TRUE(std::filesystem::exists(mine));
  EXPECT_TRUE(std::filesystem::exists(inside));
}

TEST_F(CacheFolder, RemovesWhatNobodyFinished) {
  Folder folder = open(1000);
  ASSERT_TRUE(folder.write(key(1), EntryKind::Kernel, "one"));
  const std::string path = folder.pathOf(key(1), EntryKind::Kernel);
  const std::string old = path + ".1-1.partial", young = path + ".1-2.partial";
  for (const std::string &file : {old, young})
    std::ofstream(file) << "half";
  setAge(old, 2 * 3600);
  folder.makeRoom();
  EXPECT_FALSE(std::filesystem::exists(old));
  EXPECT_TRUE(std::filesystem::exists(young));
  EXPECT_EQ(folder.read(key(1), EntryKind::Kernel), "one");
  // Somebody may be writing it.
  EXPECT_EQ(*folder.clear(), 1u);
  EXPECT_TRUE(std::filesystem::exists(young));
}

TEST_F(CacheFolder, AWriteThatFailsLeavesNothing) {
  Folder folder = open(1 << 20);
  ASSERT_TRUE(folder.write(key(1), EntryKind::Kernel, "one"));
  const std::string error = [&] {
    // In a process of its own: the limit is the process's.
    int pipe[2];
    EXPECT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit limit = {4096, 4096};
      ::setrlimit(RLIMIT_FSIZE, &limit);
      Expected<void> done = folder.write(key(1), EntryKind::Kernel, std::string(100000, 'x'));
      const std::string text = done ? "" : render(done.error());
      _exit(::write(pipe[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0
                                                                                            : 1);
    }
    ::close(pipe[1]);
    std::string text(1000, '\0');
    text.resize(
        static_cast<size_t>(std::max<ssize_t>(::read(pipe[0], text.data(), text.size()), 0)));
    ::close(pipe[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    return text;
  }();
  EXPECT_THAT(error, HasSubstr("cannot be kept here: File too large\n  name another folder"));
  EXPECT_EQ(folder.read(key(1), EntryKind::Kernel), "one");
  EXPECT_EQ(scratch.filesEndingIn(".partial").size(), 0u);
}

TEST_F(CacheFolder, AnythingMayHaveAnEntrysName) {
  Folder folder = open();
  ASSERT_TRUE(folder.write(key(1), EntryKind::Kernel, "one"));
  const std::string path = folder.pathOf(key(1), EntryKind::Kernel);
  std::filesystem::resize_file(path, uint64_t(1) << 40);
  EXPECT_EQ(folder.read(key(1), EntryKind::Kernel), "");
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  EXPECT_EQ(folder.read(key(1), EntryKind::Kernel), "");
  EXPECT_FALSE(folder.write(key(1), EntryKind::Kernel, "one"));
  std::filesystem::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(folder.read(key(1), EntryKind::Kernel), "");
}

TEST_F(CacheFolder, SaysWhyAFolderIsOfNoUse) {
  std::ofstream(scratch.path() + "/file") << "a file";
  Expected<Folder> folder = Folder::open(scratch.path() + "/file/below", 1000);
  ASSERT_FALSE(folder);
  EXPECT_THAT(render(folder.error()), HasSubstr("Not a directory\n  name another folder"));
}

TEST_F(CacheFolder, ALockGoesWithItsOwner) {
  Folder folder = open();
  auto lock = folder.lockFor(key(1));
  ASSERT_EQ(lock->tryAcquire(), FileLock::Attempt::Owned);
  EXPECT_EQ(folder.lockFor(key(1))->tryAcquire(), FileLock::Attempt::Busy);
  EXPECT_EQ(folder.lockFor(key(2))->tryAcquire(), FileLock::Attempt::Owned);
  lock.reset();
  EXPECT_EQ(folder.lockFor(key(1))->tryAcquire(), FileLock::Attempt::Owned);

  // A process that is killed while it has the lock.
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    auto mine = folder.lockFor(key(1));
    const char owned = mine->tryAcquire() == FileLock::Attempt::Owned;
    if (::write(ready[1], &owned, 1) != 1)
      _exit(1);
    ::pause();
  }
  char owned = 0;
  ASSERT_EQ(::read(ready[0], &owned, 1), 1);
  EXPECT_TRUE(owned);
  EXPECT_EQ(folder.lockFor(key(1))->acquireWithin(std::chrono::milliseconds(5)),
            FileLock::Attempt::Busy);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(folder.lockFor(key(1))->tryAcquire(), FileLock::Attempt::Owned);
  ::close(ready[0]);
  ::close(ready[1]);
}
