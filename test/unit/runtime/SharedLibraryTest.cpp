//===- SharedLibraryTest.cpp - Libraries loaded at run time -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/launch/SharedLibrary.h"

#include "gtest/gtest.h"

using namespace tilewright;
using namespace tilewright::runtime;

namespace {

/// Of the C library's mathematics, which every process can load.
struct Mathematics {
  double (*cosine)(double);
  double (*missing)(double);
};

const LibraryNames names = {
    .what = "mathematics", .library = "the library", .files = {"libnot-there.so", "libm.so.6"}};

constexpr Symbol<Mathematics> present[] = {required<&Mathematics::cosine>("cos"),
                                           optional<&Mathematics::missing>("cosine_of_nothing")};

} // namespace

TEST(SharedLibrary, FunctionsAreSetAndOptionalOnesMayBeMissing) {
  Expected<Mathematics> library = SharedLibrary::load(names, present, "remedy");
  ASSERT_TRUE(library) << render(library.error());
  EXPECT_EQ(library->cosine(0), 1);
  EXPECT_EQ(library->missing, nullptr);
}

TEST(SharedLibrary, WithoutAFileTheFirstIsNamed) {
  LibraryNames none = names;
  none.files = {"libnot-there.so", "libnor-this.so"};
  Expected<Mathematics> library = SharedLibrary::load(none, present, "install it");
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().message, "there is no mathematics: cannot open libnot-there.so");
  EXPECT_EQ(library.error().remedy, "install it");
}

TEST(SharedLibrary, AMissingFunctionIsNamed) {
  constexpr Symbol<Mathematics> table[] = {required<&Mathematics::missing>("cosine_of_nothing")};
  Expected<Mathematics> library = SharedLibrary::load(names, table, "renew it");
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().message, "the library is too old: it lacks cosine_of_nothing");
  EXPECT_EQ(library.error().remedy, "renew it");
}

TEST(SharedLibrary, OneThatDoesNotStartSaysWhy) {
  auto start = [](const Mathematics &library) {
    return library.cosine(0) == 1 ? std::string("status 3") : std::string();
  };
  Expected<Mathematics> library = SharedLibrary::load(names, present, "", start);
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().message, "the library does not start: status 3");
}
