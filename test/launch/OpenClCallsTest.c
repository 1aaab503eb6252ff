//===- OpenClCallsTest.c - What the launch library asks of OpenCL -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// opencl-calls-test LIBRARY: the launch library with the stand-in for OpenCL (OpenClStandIn.c),
// which is LIBRARY and has to be found as libOpenCL.so.1. Prints what is not as it should be, and
// exits with 1 then.
//
//===--------------------------------------------------------------------------===//

#include "test/launch/StandIn.h"
#include "tilewright-c/kernels.h"

#define SAXPY(warps, lanes, shared) SAXPY_FOR("xpu:bmg", warps, lanes, shared)
#define SAXPY_FOR(target, warps, lanes, shared)                                                    \
  SAXPY_WITH(target, "1", "1", "128",                                                              \
             "\"num_warps\": " warps ", \"threads_per_warp\": " lanes                              \
             ", \"shared_bytes\": " shared ", \"launch\": {\"build_options\": \"-large\"}")

static void *queues[2];

/* How launchWords is logged. */
#define LAUNCHED(name, device, context)                                                            \
  "launch " name " on " device " in " context                                                      \
  ": 3 dimensions, 896 2 1 by 128 1 1, sizes 8 8 4 4, a 2, n 5\n"

static TilewrightKernel *openCode(const char *description, const char *code) {
  TilewrightKernel *kernel = NULL;
  EXPECT(tilewright_open_memory(description, code, strlen(code) + 1, &kernel) == 0);
  return kernel;
}

/* With x and y null, a 2, n 5. */
static int launchWords(TilewrightKernel *kernel, void *queue) {
  const uint64_t words[4] = {0, 0, 0x40000000, 5};
  return tilewright_launch_words(kernel, 7, 2, 1, queue, words, 4);
}

/* A kernel is built for the context of the queue, once. */
static void testContexts(void) {
  float x[3] = {1, 2, 3}, y[3] = {10, 20, 30};
  TilewrightKernel *kernel = openCode(SAXPY("8", "16", "512"), "one ");
  if (!kernel)
    return;
  setArguments(kernel, x, y);
  EXPECT(tilewright_launch(kernel, 7, 2, 1, queues[0]) == 0);
  EXPECT_LOG("program one in 1\nbuild on 0 '-large'\n"
             "launch one on 0 in 1: 3 dimensions, 896 2 1 by 128 1 1, sizes 8 8 4 4, a 0.5, n 3\n");
  EXPECT(y[0] == 10.5f && y[1] == 21 && y[2] == 31.5f);
  EXPECT(launchWords(kernel, queues[0]) == 0);
  EXPECT_LOG(LAUNCHED("one", "0", "1"));
  EXPECT(launchWords(kernel, queues[1]) == 0);
  EXPECT_LOG("program one in 2\nbuild on 1 '-large'\nno program one\n" LAUNCHED("one", "1", "2"));
  /* Without a queue, one of the kernel's own. */
  EXPECT(launchWords(kernel, NULL) == 0);
  EXPECT_LOG("context 3 of 0\nprogram one in 3\nbuild on 0 '-large'\nno program one\n" LAUNCHED(
      "one", "0", "3"));
  EXPECT(launchWords(kernel, NULL) == 0);
  EXPECT_LOG(LAUNCHED("one", "0", "3"));
  int value = 0;
  EXPECT_ERROR(tilewright_get_attribute(kernel, TILEWRIGHT_REGISTERS, &value),
               "OpenCL does not tell this of kernels or devices");
  EXPECT_ERROR(tilewright_load(kernel, 2), "there is no OpenCL device 2: there are 2 that take");
  takeLog();
  tilewright_close(kernel);
  EXPECT_LOG("no program one\nno context 3\n");
}

/* What a device refuses, or does not have. */
static void testRefusals(void) {
  static const struct {
    const char *description, *code, *error;
  } cases[] = {
      {SAXPY("8", "16", "512"), "refuse ", "CL_BUILD_PROGRAM_FAILURE (status -11)\nno such instr"},
      {SAXPY("8", "16", "512"), "narrow ", "compiled for work-groups of 128, Stand-in 0 can run"},
      {SAXPY("8", "8", "512"), "one ", "needs sub-groups of 8, Stand-in 0 has those of 16, 32"},
      {SAXPY("128", "16", "512"), "one ", "needs work-groups of 2048, Stand-in 0 has at most 1024"},
      {SAXPY("8", "16", "99999"), "one ", "needs 99999 bytes of shared memory"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    TilewrightKernel *kernel = openCode(cases[i].description, cases[i].code);
    EXPECT_ERROR(launchWords(kernel, queues[0]), cases[i].error);
    EXPECT(!strstr(tilewright_last_error(), "--"));
    tilewright_close(kernel);
  }
  takeLog();
  /* Options that a driver does not know are left out. */
  TilewrightKernel *kernel = openCode(SAXPY("8", "16", "512"), "plain ");
  EXPECT(launchWords(kernel, queues[0]) == 0);
  EXPECT_LOG("program plain in 1\nbuild on 0 '-large'\nno program plain\n"
             "program plain in 1\nbuild on 0 ''\n" LAUNCHED("plain", "0", "1"));
  tilewright_close(kernel);
  EXPECT_LOG("no program plain\n");
}

/* Of a set, each specialization is built in each context that it is launched in. */
static void testSet(void) {
  const char *description = SAXPY("8", "16", "512");
  const TilewrightImage image = {description, "one ", 5};
  TilewrightKernelSet *set = NULL;
  EXPECT(tilewright_open_set(&image, 1, &set) == 0);
  const uint64_t words[4] = {0, 0, 0x40000000, 5};
  static const char *const logs[] = {
      "program one in 1\nbuild on 0 '-large'\n" LAUNCHED("one", "0", "1"),
      "program one in 2\nbuild on 1 '-large'\n" LAUNCHED("one", "1", "2"),
      LAUNCHED("one", "0", "1"), LAUNCHED("one", "1", "2")};
  for (int i = 0; i < 4; ++i) {
    const TilewrightQueue queue = {TILEWRIGHT_XPU, 0, queues[i % 2]};
    EXPECT(tilewright_launch_set(set, queue, 7, 2, 1, words, 4) == 0);
    EXPECT_LOG(logs[i]);
  }
  tilewright_close_set(set);
  EXPECT_LOG("no program one\nno program one\n");
}

/* Queues tell no device's number: what one GPU has taken the other may refuse. */
static void testTwoTargets(void) {
  const TilewrightImage images[] = {{SAXPY_FOR("xpu:pvc", "8", "16", "512"), "first ", 7},
                                    {SAXPY("8", "16", "512"), "any ", 5}};
  TilewrightKernelSet *set = NULL;
  EXPECT(tilewright_open_set(images, 2, &set) == 0);
  const uint64_t words[4] = {0, 0, 0x40000000, 5};
  TilewrightQueue queue = {TILEWRIGHT_XPU, 0, queues[0]};
  EXPECT(tilewright_launch_set(set, queue, 7, 2, 1, words, 4) == 0);
  EXPECT_LOG("program first in 1\nbuild on 0 '-large'\n" LAUNCHED("first", "0", "1"));
  queue.stream = queues[1];
  EXPECT(tilewright_launch_set(set, queue, 7, 2, 1, words, 4) == 0);
  EXPECT(strstr(takeLog(), LAUNCHED("any", "1", "2")) != NULL);
  EXPECT(tilewright_launch_set(set, queue, 7, 2, 1, words, 4) == 0);
  EXPECT_LOG(LAUNCHED("any", "1", "2"));
  tilewright_close_set(set);
  takeLog();
}

int main(int argc, char **argv) {
  void *library = argc == 2 ? openStandIn(argv[1]) : NULL;
  if (!library)
    return 2;
  void *(*makeQueue)(int device);
  int (*releaseQueue)(void *queue);
  *(void **)&makeQueue = dlsym(library, "standInQueue");
  *(void **)&releaseQueue = dlsym(library, "clReleaseCommandQueue");
  for (int i = 0; i < 2; ++i)
    queues[i] = makeQueue(i);
  takeLog();
  testContexts();
  testRefusals();
  testSet();
  testTwoTargets();
  for (int i = 0; i < 2; ++i)
    releaseQueue(queues[i]);
  EXPECT_LOG("no context 1\nno context 2\n");
  return reportFailures();
}
