//===- KernelFilesTest.cpp - Descriptions and folders of kernels --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/Kernel.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

using namespace tilewright;
using ::testing::HasSubstr;
using ::testing::StartsWith;

static KernelMetadata example() {
  KernelMetadata metadata;
  metadata.name = "softmax";
  metadata.target = "cuda:90";
  metadata.numWarps = 8;
  metadata.sharedBytes = 4096;
  metadata.loopStages = {3, 1};
  metadata.arguments = {{"x", "*fp32", 16, {}},
                        {"n", "i32", 1, {}},
                        {"eps", "fp32", 1, "1e-05"},
                        {"BLOCK", "constexpr", 1, "1024"}};
  return metadata;
}

TEST(KernelJson, RoundTrip) {
  std::string text = toJson(example());
  Expected<KernelMetadata> read = metadataFromJson(text, "softmax.json");
  ASSERT_TRUE(read) << render(read.error());
  EXPECT_EQ(*read, example());
  EXPECT_EQ(toJson(*read), text);
  EXPECT_THAT(text, HasSubstr("\"num_warps\": 8"));
  EXPECT_TRUE(text.ends_with("}\n"));
}

// What stands under "launch" for each vendor.
TEST(KernelJson, LaunchOfEachVendor) {
  auto launchOf = [](const char *target, int lanes, int kernargBytes = 0,
                     const char *buildOptions = "", int numCtas = 1) {
    KernelMetadata metadata = example();
    metadata.target = target;
    metadata.loopStages.clear();
    metadata.threadsPerWarp = lanes;
    metadata.kernargBytes = kernargBytes;
    metadata.buildOptions = buildOptions;
    metadata.numCtas = numCtas;
    std::string text = toJson(metadata);
    Expected<KernelMetadata> read = metadataFromJson(text, "softmax.json");
    EXPECT_TRUE(read && *read == metadata && toJson(*read) == text) << text;
    // Without line breaks and spaces.
    text = text.substr(text.find("\"launch\""));
    std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
    return text;
  };
  EXPECT_EQ(launchOf("cuda:90", 32),
            R"("launch":{"code":"softmax.ptx","symbol":"softmax","block":[256,1,1],)"
            R"("dynamic_shared_bytes":4096}})");
  EXPECT_EQ(launchOf("cuda:90", 32, 0, "", 4),
            R"("launch":{"code":"softmax.ptx","symbol":"softmax","block":[256,1,1],)"
            R"("cluster":[4,1,1],"dynamic_shared_bytes":4096}})");
  EXPECT_EQ(launchOf("hip:gfx1201", 32, 280),
            R"("launch":{"code":"softmax.hsaco","symbol":"softmax","block":[256,1,1],)"
            R"("dynamic_shared_bytes":0,"kernel_descriptor":"softmax.kd","wavefront_size":32,)"
            R"("kernarg_bytes":280}})");
  EXPECT_EQ(launchOf("xpu:bmg", 16),
            R"("launch":{"code":"softmax.spv","symbol":"softmax","block":[128,1,1],)"
            R"("dynamic_shared_bytes":0,"sub_group_size":16}})");
  EXPECT_EQ(launchOf("xpu:pvc", 32, 0, "-cl-intel-256-GRF-per-thread"),
            R"("launch":{"code":"softmax.spv","symbol":"softmax","block":[256,1,1],)"
            R"("dynamic_shared_bytes":0,"sub_group_size":32,)"
            R"("build_options":"-cl-intel-256-GRF-per-thread"}})");
}

TEST(KernelJson, WhatALaunchAsksFor) {
  for (const auto &[isCooperative, isProgrammatic] :
       {std::pair(false, false), {true, false}, {false, true}, {true, true}}) {
    KernelMetadata metadata;
    metadata.name = "k";
    metadata.target = "cuda:90";
    metadata.isCooperative = isCooperative;
    metadata.isProgrammatic = isProgrammatic;
    const std::string text = toJson(metadata);
    EXPECT_EQ(text.find("\"cooperative\": true") != text.npos, isCooperative);
    EXPECT_EQ(text.find("\"programmatic\": true") != text.npos, isProgrammatic);
    Expected<KernelMetadata> read = metadataFromJson(text, "k.json");
    ASSERT_TRUE(read) << render(read.error());
    EXPECT_EQ(*read, metadata);
  }
}

TEST(KernelJson, ParametersOfArguments) {
  KernelMetadata metadata;
  metadata.arguments = {{"x", "*fp64", 1, {}},  {"c", "constexpr", 1, "4"}, {"flag", "i1", 1, {}},
                        {"one", "i32", 1, "1"}, {"h", "bf16", 1, {}},       {"b", "fp8e5", 1, {}},
                        {"d", "tensor", 1, {}}};
  std::string text = toJson(metadata);
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  EXPECT_THAT(text, HasSubstr(R"("type":"*fp64","index":0,"bytes":8})"));
  EXPECT_THAT(text, HasSubstr(R"("type":"constexpr","value":"4"})"));
  EXPECT_THAT(text, HasSubstr(R"("type":"i1","index":1,"bytes":1})"));
  EXPECT_THAT(text, HasSubstr(R"("type":"i32","value":"1"})"));
  EXPECT_THAT(text, HasSubstr(R"("type":"bf16","index":2,"bytes":2})"));
  EXPECT_THAT(text, HasSubstr(R"("type":"fp8e5","index":3,"bytes":1})"));
  EXPECT_THAT(text, HasSubstr(R"("type":"tensor","index":4})"));
}

TEST(KernelJson, TensorMaps) {
  KernelMetadata metadata;
  metadata.name = "k";
  metadata.target = "cuda:90";
  metadata.arguments = {{"d", "tensordesc<bf16[64, 32]>:16", 16, {}}, {"n", "i32", 1, {}}};
  metadata.tensorMaps = {{"bf16", 0, {{1, {2}}, {4, {1, 5}}}, {{2, {3}}}, {32, 64}, 64, true},
                         {"u8", 0, {{1, {5}}}, {}, {16}, 0, false},
                         {"f16", 0, {{12, {}}, {1, {1}}}, {{4096, {}}}, {64, 8}, 128, false}};
  std::string text = toJson(metadata);
  Expected<KernelMetadata> read = metadataFromJson(text, "k.json");
  ASSERT_TRUE(read) << render(read.error());
  EXPECT_EQ(*read, metadata);
  auto errorOf = [&](const std::string &from, const std::string &to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    Expected<KernelMetadata> read = metadataFromJson(changed, "k.json");
    return read ? std::string("no error") : render(read.error());
  };
  EXPECT_THAT(errorOf("\"address\": 0", "\"address\": 6"), HasSubstr("does not fit the arguments"));
  EXPECT_THAT(errorOf("12,", "{\"parameters\": [6]},"), HasSubstr("does not fit the arguments"));
  EXPECT_THAT(errorOf("4096", "{\"parameters\": [6]}"), HasSubstr("does not fit the arguments"));
  EXPECT_THAT(errorOf("\"swizzle_bytes\": 64", "\"swizzle_bytes\": 48"),
              HasSubstr("does not fit the arguments"));
  EXPECT_THAT(errorOf("\"element\": \"u8\"", "\"element\": \"u9\""),
              HasSubstr("does not fit the arguments"));
  EXPECT_THAT(errorOf("\"fill\": \"nan\"", "\"fill\": \"none\""),
              HasSubstr("launch.tensor_maps[0].fill' must be zero or nan"));
  // The first entry: the text stands in several lines.
  auto errorOfBox = [&](const std::string &size) {
    std::string changed = text;
    changed.replace(changed.find("32,", changed.find("\"box\"")), 2, size);
    Expected<KernelMetadata> read = metadataFromJson(changed, "k.json");
    return read ? std::string("no error") : render(read.error());
  };
  EXPECT_THAT(errorOfBox("0"), HasSubstr("does not fit the arguments"));
  EXPECT_THAT(errorOfBox("257"), HasSubstr("does not fit the arguments"));
  EXPECT_THAT(errorOfBox("4294967296"),
              HasSubstr("launch.tensor_maps[0].box' must be a whole number"));
  EXPECT_THAT(errorOf("\"factor\": 4", "\"factor\": 0"),
              HasSubstr("factor' must be a whole number"));
  EXPECT_THAT(errorOf("\"tensor_maps\": [", "\"tensor_maps\": [3,"),
              HasSubstr("launch.tensor_maps[0]' must be an object"));
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  EXPECT_THAT(text, HasSubstr(R"("index":0,"bytes":[8,4,4,8,8]})"));
  EXPECT_THAT(text, HasSubstr(R"("name":"n","type":"i32","index":5,"bytes":4})"));
  EXPECT_THAT(text, HasSubstr(R"({"index":6,"bytes":128,"element":"bf16","address":0,)"
                              R"("sizes":[{"parameters":[2]},{"factor":4,"parameters":[1,5]}],)"
                              R"("strides":[{"factor":2,"parameters":[3]}],"box":[32,64],)"
                              R"("swizzle_bytes":64,"fill":"nan"})"));
  EXPECT_THAT(text, HasSubstr(R"({"index":8,"bytes":128,"element":"f16","address":0,)"
                              R"("sizes":[12,{"parameters":[1]}],"strides":[4096])"));
}

TEST(KernelJson, WhatIsPassed) {
  std::vector<bool> passed;
  for (const KernelArgument &argument : example().arguments)
    passed.push_back(argument.isPassed());
  EXPECT_EQ(passed, (std::vector<bool>{true, true, false, false}));
  EXPECT_TRUE(example().arguments[0].isPointer());
  EXPECT_EQ(example().arguments[0].elementType(), "fp32");
  EXPECT_EQ(example().arguments[1].elementType(), "i32");
  const KernelArgument descriptor = {"d", "tensordesc<fp8e5[4, 2, 16]>", 16, {}};
  EXPECT_EQ(descriptor.elementType(), "fp8e5");
  EXPECT_EQ(descriptor.rank(), 3u);
}

TEST(KernelJson, UnknownKeysArePassedOver) {
  std::string text = toJson(example());
  text.insert(text.find('{') + 1, "\"later\": [1, {}],");
  EXPECT_TRUE(metadataFromJson(text, "softmax.json"));
}

TEST(KernelJson, Errors) {
  auto errorOf = [](const std::string &text) {
    Expected<KernelMetadata> read = metadataFromJson(text, "k.json");
    return read ? std::string("no error") : render(read.error());
  };
  auto replaced = [](const std::string &from, const std::string &to) {
    std::string text = toJson(example());
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_THAT(errorOf(""), StartsWith("k.json: error: the file is not valid JSON"));
  EXPECT_THAT(errorOf("{\"name\": "), HasSubstr("not valid JSON"));
  EXPECT_THAT(errorOf("[1, 2]"), HasSubstr("must hold a JSON object"));
  EXPECT_THAT(errorOf("{}"), HasSubstr("'name' must be a text"));
  EXPECT_THAT(errorOf(replaced("\"softmax\"", "5")), HasSubstr("'name' must be a text"));
  EXPECT_THAT(errorOf(replaced("\"num_warps\": 8", "\"num_warps\": 0")),
              HasSubstr("'num_warps' must be a whole number, at least 1"));
  EXPECT_THAT(errorOf(replaced("\"num_warps\": 8", "\"num_warps\": 99999999999")),
              HasSubstr("'num_warps' must be"));
  EXPECT_THAT(errorOf(replaced("\"num_warps\": 8", "\"num_warps\": 18446744073709551615")),
              HasSubstr("'num_warps' must be"));
  EXPECT_THAT(errorOf(replaced("\"loop_stages\": [", "\"loop_stages\": [0,")),
              HasSubstr("'loop_stages.stages' must be a whole number, at least 1"));
  EXPECT_THAT(errorOf(replaced("\"shared_bytes\": 4096", "\"shared_bytes\": -1")),
              HasSubstr("'shared_bytes' must be"));
  EXPECT_THAT(errorOf(replaced("\"type\": \"i32\"", "\"type\": 32")),
              HasSubstr("'arguments[1].type' must be a text"));
  for (const char *type :
       {"", "i33", "*", "float", "tensordesc<fp16>", "tensordesc<what[4]>", "tensordesc<fp16[4, 8"})
    EXPECT_THAT(
        errorOf(replaced("\"type\": \"i32\"", "\"type\": \"" + std::string(type) + "\"")),
        HasSubstr("'arguments[1].type' is " + std::string(type) + ", which no argument has"));
  for (const char *blocks : {"0", "3", "16"})
    EXPECT_THAT(errorOf(replaced("\"num_warps\"",
                                 "\"num_ctas\": " + std::string(blocks) + ", \"num_warps\"")),
                HasSubstr("'num_ctas' must be a"));
  EXPECT_THAT(errorOf(replaced("\"divisibility\": 16", "\"divisibility\": \"x\"")),
              HasSubstr("'arguments[0].divisibility' must be a whole number"));
  EXPECT_THAT(errorOf(replaced("\"launch\": {", "\"launch\": 1, \"other\": {")),
              HasSubstr("'launch' must be an object"));
  EXPECT_THAT(errorOf(replaced("\"launch\": {", "\"launch\": {\"kernarg_bytes\": -8,")),
              HasSubstr("'launch.kernarg_bytes' must be a whole number, at least 0"));
  EXPECT_THAT(errorOf(replaced("\"launch\": {", "\"launch\": {\"build_options\": 8,")),
              HasSubstr("'launch.build_options' must be a text"));
  EXPECT_THAT(errorOf(replaced("\"arguments\"", "\"args\"")),
              HasSubstr("'arguments' must be a list"));
}

namespace {
/// A folder that is gone after the test.
struct KernelFolder : ::testing::Test {
  KernelFolder() {
    path =
        std::filesystem::temp_directory_path() /
        ("tilewright-kernel-" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
         std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(path);
  }
  ~KernelFolder() override { std::filesystem::remove_all(path); }
  std::filesystem::path path;
};
} // namespace

TEST_F(KernelFolder, RoundTrip) {
  CompiledKernel kernel{example(), "; the IR\n", std::string("// the PTX\n\0.", 13)};
  Expected<void> written = writeCompiledKernel(path, kernel);
  ASSERT_TRUE(written) << render(written.error());
  EXPECT_TRUE(std::filesystem::exists(path / "softmax.ptx"));
  Expected<CompiledKernel> read = readCompiledKernel(path, "softmax");
  ASSERT_TRUE(read) << render(read.error());
  EXPECT_EQ(read->metadata, kernel.metadata);
  EXPECT_EQ(read->llir, kernel.llir);
  EXPECT_EQ(read->nativeCode, kernel.nativeCode);
}

TEST(KernelFiles, SuffixesOfEachVendor) {
  EXPECT_EQ(nativeCodeSuffix("cuda:90"), ".ptx");
  EXPECT_EQ(assemblySuffix("cuda:90"), "");
  EXPECT_EQ(nativeCodeSuffix("hip:gfx1100"), ".hsaco");
  EXPECT_EQ(assemblySuffix("hip:gfx1100"), ".amdgcn");
  EXPECT_EQ(nativeCodeSuffix("xpu:pvc"), ".spv");
  EXPECT_EQ(assemblySuffix("xpu:pvc"), "");
  EXPECT_EQ(nativeCodeSuffix("vax"), "");
  EXPECT_EQ(assemblySuffix(""), "");
}

TEST_F(KernelFolder, Errors) {
  EXPECT_THAT(render(readCompiledKernel(path, "softmax").error()),
              HasSubstr("softmax.json: error: cannot read the file: No such file"));
  CompiledKernel kernel{example(), "", ""};
  ASSERT_TRUE(writeCompiledKernel(path, kernel));
  EXPECT_THAT(render(readCompiledKernel(path, "softmax").error()),
              HasSubstr("there is no code beside the description"));
  EXPECT_THAT(render(writeCompiledKernel(path / "missing", kernel).error()),
              HasSubstr("softmax.json: error: cannot write the file: No such file"));
}
