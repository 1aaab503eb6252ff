//===- LaunchTest.c - The launch library from C, with a GPU or without --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// launch-test FOLDER: writes descriptions and code into the folder and launches them. Prints what
// is not as it should be, and exits with 1 then.
//
//===--------------------------------------------------------------------------===//

#include "test/launch/Expect.h"

#include <stdlib.h>

static const char *folder;

static void writeText(const char *name, const char *text) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  if (!file || fputs(text, file) < 0 || fclose(file) != 0) {
    perror(path);
    exit(1);
  }
}

static const char description[] =
    "{\"name\": \"add\", \"target\": \"cuda:80\", \"num_warps\": 4, \"threads_per_warp\": 32,"
    " \"shared_bytes\": 65536, \"arguments\": ["
    " {\"name\": \"x\", \"type\": \"*fp32\", \"divisibility\": 16},"
    " {\"name\": \"BLOCK\", \"type\": \"constexpr\", \"value\": \"128\"},"
    " {\"name\": \"n\", \"type\": \"i32\"}, {\"name\": \"s\", \"type\": \"fp32\"}]}";

/* x[i] += s for i < n, through the last bytes of the shared memory. */
static const char ptx[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                          ".extern .shared .align 16 .b8 shared[];\n"
                          ".visible .entry add(.param .u64 x, .param .u32 n, .param .f32 s) {\n"
                          ".reg .pred %p; .reg .f32 %f<4>; .reg .b32 %r<8>; .reg .b64 %d<4>;\n"
                          "ld.param.u64 %d0, [x]; ld.param.u32 %r0, [n]; ld.param.f32 %f0, [s];\n"
                          "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n"
                          "mad.lo.u32 %r4, %r2, %r3, %r1; setp.ge.u32 %p, %r4, %r0;\n"
                          "@%p bra done;\n"
                          "mul.wide.u32 %d1, %r4, 4; add.u64 %d2, %d0, %d1;\n"
                          "ld.global.f32 %f1, [%d2]; add.f32 %f2, %f1, %f0;\n"
                          "mov.u32 %r5, shared; mad.lo.u32 %r6, %r1, 4, %r5;\n"
                          "st.shared.f32 [%r6+65024], %f2; ld.shared.f32 %f3, [%r6+65024];\n"
                          "st.global.f32 [%d2], %f3;\ndone: ret; }\n";

static void testOpening(void) {
  TilewrightKernel *kernel = (TilewrightKernel *)&failures;
  EXPECT_ERROR(tilewright_open(folder, "missing", &kernel), "missing.json");
  EXPECT(kernel == NULL);
  writeText("broken.json", "{\"name\": 3");
  EXPECT_ERROR(tilewright_open(folder, "broken", &kernel), "not valid JSON");
  writeText("hip.json", "{\"name\": \"hip\", \"target\": \"hip:gfx1201\", \"num_warps\": 4,"
                        " \"threads_per_warp\": 32, \"shared_bytes\": 0, \"arguments\": []}");
  EXPECT_ERROR(tilewright_open(folder, "hip", &kernel), "hip.hsaco");
  writeText("other.json", "{\"name\": \"other\", \"target\": \"npu:1\", \"num_warps\": 4,"
                          " \"threads_per_warp\": 32, \"shared_bytes\": 0, \"arguments\": []}");
  EXPECT_ERROR(tilewright_open(folder, "other", &kernel), "compiled for npu:1");
  EXPECT_ERROR(tilewright_open_memory("{", "", 0, &kernel), "not valid JSON");
  EXPECT(kernel == NULL);
  writeText("bare.json", description);
  EXPECT_ERROR(tilewright_open(folder, "bare", &kernel), "no code beside the description");
  tilewright_close(NULL);
}

static void testArguments(TilewrightKernel *kernel) {
  EXPECT(tilewright_get_argument_count(kernel) == 3);
  EXPECT(strcmp(tilewright_get_argument_name(kernel, 1), "n") == 0);
  EXPECT(strcmp(tilewright_get_argument_type(kernel, 0), "*fp32") == 0);
  EXPECT(tilewright_get_argument_name(kernel, 3) == NULL);
  EXPECT(tilewright_get_argument_type(kernel, -1) == NULL);
  EXPECT_ERROR(tilewright_set_integer(kernel, 3, 0), "has no argument 3: it takes 3");
  EXPECT_ERROR(tilewright_set_integer(kernel, 0, 16), "'x' of type *fp32 got the integer 16");
  EXPECT_ERROR(tilewright_set_pointer(kernel, 0, 8), "no multiple of 16");
  EXPECT_ERROR(tilewright_set_pointer(kernel, 1, 16), "'n' of type i32 got an array");
  EXPECT_ERROR(tilewright_set_integer(kernel, 1, (int64_t)1 << 31), "does not fit");
  EXPECT_ERROR(tilewright_set_float(kernel, 1, 1.5), "'n' of type i32 got a floating-point");
  EXPECT(tilewright_set_float(kernel, 2, 0.5) == 0);
  EXPECT(tilewright_set_integer(kernel, 1, 100) == 0);
  EXPECT_ERROR(tilewright_launch(kernel, 0, 1, 1, NULL), "the grid of 'add' is empty");
  EXPECT_ERROR(tilewright_launch(kernel, 1, 65536, 1, NULL), "too large");
  EXPECT_ERROR(tilewright_launch(kernel, 1, 1, 1, NULL), "argument 'x' of 'add' is not set");
}

/* A tensor descriptor takes a tensor, whose rows begin at multiples of 16 bytes. */
static void testTensors(void) {
  writeText(
      "tensor.json",
      "{\"name\": \"add\", \"target\": \"cuda:90\", \"num_warps\": 4, \"threads_per_warp\": 32,"
      " \"shared_bytes\": 0, \"arguments\": ["
      " {\"name\": \"d\", \"type\": \"tensordesc<fp16[64, 32]>\", \"divisibility\": 16},"
      " {\"name\": \"n\", \"type\": \"i32\"}]}");
  writeText("tensor.ptx", ptx);
  TilewrightKernel *kernel = NULL;
  EXPECT(tilewright_open(folder, "tensor", &kernel) == 0);
  if (!kernel)
    return;
  const int64_t shape[] = {100, 40}, strides[] = {48, 1}, odd[] = {42, 1}, columns[] = {1, 100};
  EXPECT(tilewright_get_argument_count(kernel) == 2);
  EXPECT(strcmp(tilewright_get_argument_type(kernel, 0), "tensordesc<fp16[64, 32]>") == 0);
  EXPECT(tilewright_set_tensor(kernel, 0, 4096, 2, shape, strides) == 0);
  EXPECT_ERROR(tilewright_set_tensor(kernel, 0, 4104, 2, shape, strides),
               "'d' of type tensordesc<fp16[64, 32]> got an address that is no multiple of 16");
  EXPECT_ERROR(tilewright_set_tensor(kernel, 0, 4096, 2, shape, odd),
               "a stride of 42 elements in dimension 0, 84 bytes");
  EXPECT_ERROR(tilewright_set_tensor(kernel, 0, 4096, 2, shape, columns), "a last stride of 100");
  EXPECT_ERROR(tilewright_set_tensor(kernel, 0, 4096, 1, shape, strides), "of 1 dimension");
  EXPECT_ERROR(tilewright_set_tensor(kernel, 0, 4096, -1, shape, strides), "of -1 dimensions");
  EXPECT_ERROR(tilewright_set_tensor(kernel, 1, 4096, 2, shape, strides), "'n' of type i32 got");
  EXPECT_ERROR(tilewright_set_pointer(kernel, 0, 4096), "got an array");
  tilewright_close(kernel);
}

static void testAttributes(TilewrightKernel *kernel) {
  int value = 0;
  EXPECT(tilewright_get_attribute(kernel, TILEWRIGHT_THREADS_PER_BLOCK, &value) == 0);
  EXPECT(value == 128);
  EXPECT(tilewright_get_attribute(kernel, TILEWRIGHT_DYNAMIC_SHARED_BYTES, &value) == 0);
  EXPECT(value == 65536);
  EXPECT_ERROR(tilewright_get_attribute(kernel, TILEWRIGHT_REGISTERS, &value), "on no GPU yet");
  EXPECT_ERROR(tilewright_get_attribute(kernel, (TilewrightAttribute)99, &value),
               "no attribute 99");
}

/* Numbers that C has no type for, as words. */
static void testRounding(void) {
  uint64_t word = ~(uint64_t)0;
  EXPECT(tilewright_round("fp16", 1.5, &word) == 0 && word == 0x3e00);
  EXPECT(tilewright_round("bf16", -2, &word) == 0 && word == 0xc000);
  /* 1 + 2^-9 is nearer to 1 + 2^-7 than to 1 by nothing: the even one is 1. */
  EXPECT(tilewright_round("bf16", 1.00390625, &word) == 0 && word == 0x3f80);
  EXPECT(tilewright_round("fp8e5", 1e9, &word) == 0 && word == 0x7c);
  EXPECT(tilewright_round("fp8e4nv", 1e9, &word) == 0 && word == 0x7f);
  EXPECT(tilewright_round("fp32", 1, &word) == 0 && word == 0x3f800000);
  EXPECT(tilewright_round("fp64", 1, &word) == 0 && word == 0x3ff0000000000000);
  EXPECT_ERROR(tilewright_round("i32", 1, &word), "'i32' is no floating-point type");
  EXPECT_ERROR(tilewright_round("fp4", 1, &word), "'fp4' is no floating-point type");
}

/* The parts that need a GPU; without one, the error that says so. */
static void testLoading(TilewrightKernel *kernel) {
  if (tilewright_load(kernel, 0) != 0) {
    EXPECT_ERROR(1, "CUDA d");
    printf("not launched: %s\n", tilewright_last_error());
    EXPECT(tilewright_set_pointer(kernel, 0, 16) == 0);
    EXPECT_ERROR(tilewright_launch(kernel, 1, 1, 1, NULL), "CUDA d");
    return;
  }
  int value = 0;
  EXPECT(tilewright_get_attribute(kernel, TILEWRIGHT_REGISTERS, &value) == 0 && value > 0);
  EXPECT(tilewright_get_attribute(kernel, TILEWRIGHT_LOCAL_BYTES, &value) == 0 && value == 0);
  EXPECT(tilewright_get_attribute(kernel, TILEWRIGHT_STATIC_SHARED_BYTES, &value) == 0);
  EXPECT(tilewright_get_attribute(kernel, TILEWRIGHT_MULTIPROCESSORS, &value) == 0 && value > 0);
  EXPECT_ERROR(tilewright_load(kernel, 9999), "there is no CUDA device 9999");
  /* No thread has anything to do, so that no memory is needed. */
  EXPECT(tilewright_set_pointer(kernel, 0, 0) == 0);
  EXPECT(tilewright_set_integer(kernel, 1, 0) == 0);
  EXPECT(tilewright_launch(kernel, 4, 1, 1, NULL) == 0);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  folder = argv[1];
  EXPECT(strcmp(tilewright_last_error(), "") == 0);
  testOpening();
  testTensors();
  testRounding();
  writeText("add.json", description);
  writeText("add.ptx", ptx);
  TilewrightKernel *kernel = NULL;
  EXPECT(tilewright_open(folder, "add", &kernel) == 0);
  if (kernel) {
    testArguments(kernel);
    testAttributes(kernel);
    testLoading(kernel);
  }
  tilewright_close(kernel);
  return reportFailures();
}
