//===- NpyTest.cpp - Files of arrays ------------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/HostArray.h"

#include <gmock/gmock.h>

#include <filesystem>

using namespace tilewright;
using namespace tilewright::runtime;
using ::testing::HasSubstr;
using ::testing::StartsWith;

static HostArray counting(ElementType type, std::vector<int64_t> shape) {
  HostArray array(type, std::move(shape));
  for (size_t i = 0; i < array.size(); ++i)
    array.setInteger(i, static_cast<int64_t>(i) - (isSignedInteger(type) ? 3 : 0));
  return array;
}

TEST(Npy, RoundTripOfEveryType) {
  struct Case {
    ElementType type, stored;
  };
  using enum ElementType;
  for (Case test : {Case{Bool, Bool},
                    {Int8, Int8},
                    {Int16, Int16},
                    {Int32, Int32},
                    {Int64, Int64},
                    {UInt8, UInt8},
                    {UInt16, UInt16},
                    {UInt32, UInt32},
                    {UInt64, UInt64},
                    {Float16, Float16},
                    {Float32, Float32},
                    {Float64, Float64},
                    {BFloat16, UInt16},
                    {Float8E4M3, UInt8},
                    {Float8E5M2, UInt8},
                    {Float8E4M3FNUZ, UInt8},
                    {Float8E5M2FNUZ, UInt8}}) {
    for (std::vector<int64_t> shape :
         {std::vector<int64_t>{}, {7}, {3, 4}, {2, 3, 5}, {0}, {4, 0, 2}}) {
      HostArray array = counting(test.type, shape);
      Expected<HostArray> read = parseNpy(formatNpy(array), "a.npy");
      ASSERT_TRUE(read) << render(read.error());
      EXPECT_EQ(read->type, test.stored) << nameOf(test.type);
      EXPECT_EQ(read->shape, shape);
      EXPECT_EQ(read->bytes, array.bytes);
      EXPECT_EQ(convert(*read, test.type).bytes, array.bytes);
    }
  }
}

// The bytes that numpy.save writes for numpy.arange(6, dtype='f4').reshape(2, 3).
TEST(Npy, TheBytesThatNumPyWrites) {
  std::string text = std::string("\x93NUMPY\x01\x00v\x00", 10) +
                     "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  text.append(127 - text.size(), ' ');
  text += '\n';
  for (float value : {0.f, 1.f, 2.f, 3.f, 4.f, 5.f})
    text.append(reinterpret_cast<const char *>(&value), sizeof value);
  HostArray array(ElementType::Float32, {2, 3});
  for (size_t i = 0; i < 6; ++i)
    array.setInteger(i, static_cast<int64_t>(i));
  EXPECT_EQ(formatNpy(array), text);
  Expected<HostArray> read = parseNpy(text, "a.npy");
  ASSERT_TRUE(read) << render(read.error());
  EXPECT_EQ(read->bytes, array.bytes);
}

static std::string withHeader(const std::string &header, const std::string &data = {},
                              char version = 1) {
  std::string text = "\x93NUMPY";
  text += version;
  text += '\0';
  text += static_cast<char>(header.size());
  text.append(version == 1 ? 1 : 3, '\0');
  return text + header + data;
}

TEST(Npy, OtherSpellings) {
  std::string data(8, '\1');
  for (const std::string &text :
       {withHeader("{\"shape\":(2,),\"descr\":\"<i4\",\"fortran_order\":False}", data),
        withHeader("{'descr': '<i4', 'fortran_order': True, 'shape': (2,)}\n", data, 2),
        withHeader("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }", data, 3)}) {
    Expected<HostArray> read = parseNpy(text, "a.npy");
    ASSERT_TRUE(read) << render(read.error());
    EXPECT_EQ(read->shape, std::vector<int64_t>{2});
    EXPECT_EQ(read->type, ElementType::Int32);
  }
}

TEST(Npy, Malformed) {
  auto errorOf = [](const std::string &text) {
    Expected<HostArray> read = parseNpy(text, "a.npy");
    return read ? std::string("no error") : render(read.error());
  };
  auto header = [](const std::string &descr, const std::string &order, const std::string &shape) {
    return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  };
  std::string four(4, '\0');
  EXPECT_THAT(errorOf(""), StartsWith("a.npy: error: this is no .npy file"));
  EXPECT_THAT(errorOf("\x93NUMPY"), HasSubstr("no .npy file"));
  EXPECT_THAT(errorOf("PK\3\4 this is something else"), HasSubstr("no .npy file"));
  EXPECT_THAT(errorOf(withHeader("{}", "", 9)), HasSubstr("version 9 of the .npy format"));
  EXPECT_THAT(errorOf(withHeader("{}").substr(0, 10)), HasSubstr("cut short"));
  for (const char *broken :
       {"", "{", "{}", "{'descr'", "{'descr': 5, }", "{'descr': '<f4', 'shape': (1,), }",
        "{'what': 3}", "{'descr': '<f4' 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,), }"})
    EXPECT_THAT(errorOf(withHeader(broken, four)), HasSubstr("header cannot be understood"))
        << broken;
  for (const char *shape : {"(-1,)", "(1", "1", "(a,)", "(99999999999999999999,)", "(1 1)"})
    EXPECT_THAT(errorOf(withHeader(header("<f4", "False", shape), four)),
                HasSubstr("header cannot be understood"))
        << shape;
  for (const char *descr : {">f4", "<c8", "|O", "<U3", "<f3", "", "f"})
    EXPECT_THAT(errorOf(withHeader(header(descr, "False", "(1,)"), four)),
                HasSubstr("has no counterpart"))
        << descr;
  EXPECT_THAT(errorOf(withHeader(header("<f4", "True", "(1, 1)"), four)),
              HasSubstr("stored column by column"));
  EXPECT_THAT(errorOf(withHeader(header("<f4", "False", "(2,)"), four)),
              HasSubstr("holds 4 bytes of data where its shape needs 8"));
  EXPECT_THAT(errorOf(withHeader(header("<f4", "False", "(1,)"), four + "x")),
              HasSubstr("holds 5 bytes of data where its shape needs 4"));
  EXPECT_THAT(errorOf(withHeader(header("<f4", "False", "(4611686018427387904, 16)"), four)),
              HasSubstr("too large"));
}

TEST(Npy, Files) {
  std::string file = std::filesystem::temp_directory_path() / "tilewright-npy-test.npy";
  HostArray array = counting(ElementType::Int32, {5});
  ASSERT_TRUE(writeNpy(file, array));
  Expected<HostArray> read = readNpy(file);
  ASSERT_TRUE(read) << render(read.error());
  EXPECT_EQ(read->bytes, array.bytes);
  std::filesystem::remove(file);
  EXPECT_THAT(render(readNpy(file).error()), HasSubstr("cannot read the file"));
  EXPECT_THAT(render(readNpy(std::filesystem::temp_directory_path()).error()),
              HasSubstr("it is a directory"));
  EXPECT_THAT(render(writeNpy(file + "/x.npy", array).error()), HasSubstr("cannot write the file"));
}
