//===- OpenClTest.cpp - Kernels inside a program, launched by OpenCL ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// opencl-test FOLDER: launches on the first device that takes SPIR-V, a GPU, or a CPU by Intel's
// runtime (scripts/opencl-cpu). FOLDER has softmax.json and softmax.spv. Prints what is not as it
// should be, and exits with 1 then; with 77 where there is no such device.
//
//===--------------------------------------------------------------------------===//

#include "test/launch/Expect.h"
#include "test/launch/OpenClMemory.h"

#include "scalars.h"
#include "softmax.h"
#include "vector_add.h"

#include <cmath>

static constexpr int skipped = 77;

/// Puts the values on the device.
static float *put(OpenClMemory &memory, const std::vector<float> &values) {
  float *pointer = memory.allocate(values.size());
  EXPECT(pointer && memory.copyIn(pointer, values));
  return pointer;
}

/// Lengths of both specializations, the last programs half empty.
static void testVectorAdd(OpenClMemory &memory, const tilewright::Queue &queue) {
  for (int n : {1008, 1003, 1}) {
    std::vector<float> x(1024), y(1024), sum(1024);
    for (int i = 0; i < 1024; ++i) {
      x[i] = static_cast<float>(i);
      y[i] = static_cast<float>(i % 7) / 8;
    }
    float *xs = put(memory, x), *ys = put(memory, y), *out = put(memory, sum);
    const auto programs =
        static_cast<uint32_t>((n + kernels::vector_add_BLOCK - 1) / kernels::vector_add_BLOCK);
    EXPECT(kernels::vector_add(queue, {programs}, xs, ys, out, n));
    EXPECT(memory.copyOut(sum, out));
    int wrong = 0;
    for (int i = 0; i < 1024; ++i)
      wrong += sum[i] != (i < n ? x[i] + y[i] : 0);
    EXPECT(wrong == 0);
  }
}

/// Rows of 100, 128 apart: a reduction over the lanes and warps of a work-group.
static void testSoftmax(OpenClMemory &memory, const tilewright::Queue &queue) {
  constexpr int rows = 5, columns = 100, stride = 128;
  std::vector<float> x(rows * stride), found(rows * stride);
  for (int i = 0; i < rows * stride; ++i)
    x[i] = std::sin(static_cast<float>(i));
  float *in = put(memory, x), *out = put(memory, found);
  EXPECT(kernels::softmax(queue, {rows}, in, out, stride, columns));
  EXPECT(memory.copyOut(found, out));
  double largestError = 0;
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int i = 0; i < columns; ++i)
      sum += std::exp(static_cast<double>(x[row * stride + i]));
    for (int i = 0; i < columns; ++i)
      largestError = std::fmax(largestError,
                               std::fabs(std::exp(static_cast<double>(x[row * stride + i])) / sum -
                                         found[row * stride + i]));
  }
  EXPECT(largestError < 1e-7);
}

static void testScalars(OpenClMemory &memory, const tilewright::Queue &queue) {
  std::vector<float> found(4);
  float *out = put(memory, found);
  EXPECT(kernels::scalars(queue, {1}, out, tilewright::fp16(1.5), tilewright::bf16(-3.0),
                          tilewright::fp8e5(0.25), tilewright::fp8e4nv(448.0)));
  EXPECT(memory.copyOut(found, out));
  EXPECT(found[0] == 1.5f && found[1] == -3 && found[2] == 0.25f && found[3] == 448);
}

static void testErrors(const tilewright::Queue &queue) {
  EXPECT_ERROR(!kernels::vector_add(queue, {0}, nullptr, nullptr, nullptr, 1), "is empty");
  EXPECT_ERROR(!kernels::vector_add(tilewright::cudaQueue(), {1}, nullptr, nullptr, nullptr, 1),
               "not compiled for cuda, but for xpu:pvc, xpu:bmg");
}

/// A kernel from files, on the same queue, and on a device of its own.
static void testKernel(OpenClMemory &memory, const tilewright::Queue &queue, const char *folder) {
  TilewrightKernel *kernel = nullptr;
  EXPECT(tilewright_open(folder, "softmax", &kernel) == 0);
  if (!kernel)
    return;
  std::vector<float> found(128);
  float *in = put(memory, std::vector<float>(128, 7)), *out = put(memory, found);
  EXPECT(tilewright_set_pointer(kernel, 0, reinterpret_cast<uintptr_t>(in)) == 0);
  EXPECT(tilewright_set_pointer(kernel, 1, reinterpret_cast<uintptr_t>(out)) == 0);
  EXPECT(tilewright_set_integer(kernel, 2, 128) == 0);
  EXPECT(tilewright_set_integer(kernel, 3, 64) == 0);
  EXPECT(tilewright_launch(kernel, 1, 1, 1, queue.stream) == 0);
  EXPECT(memory.copyOut(found, out));
  EXPECT(found[0] == 1.0f / 64 && found[63] == 1.0f / 64 && found[64] == 0);
  int value = 0;
  EXPECT(tilewright_get_attribute(kernel, TILEWRIGHT_THREADS_PER_BLOCK, &value) == 0);
  EXPECT_ERROR(tilewright_get_attribute(kernel, TILEWRIGHT_REGISTERS, &value),
               "OpenCL does not tell this of kernels or devices");
  EXPECT_ERROR(tilewright_load(kernel, 999), "there is no OpenCL device 999");
  EXPECT(tilewright_load(kernel, 0) == 0);
  tilewright_close(kernel);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  OpenClMemory memory;
  if (!memory.queue()) {
    printf("skipped: %s\n", memory.missing().c_str());
    return skipped;
  }
  const tilewright::Queue queue = tilewright::openClQueue(memory.queue());
  testVectorAdd(memory, queue);
  testSoftmax(memory, queue);
  testScalars(memory, queue);
  testErrors(queue);
  testKernel(memory, queue, argv[1]);
  return reportFailures();
}
