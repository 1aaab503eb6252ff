//===- HipTest.c - Launches by HIP, and the choice of a specialization --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// hip-test LIBRARY: the launch library with the stand-in for AMD's driver (HipStandIn.c), which is
// LIBRARY and has to be found by the name of the driver. Prints what is not as it should be, and
// exits with 1 then.
//
//===--------------------------------------------------------------------------===//

#include "test/launch/StandIn.h"
#include "tilewright-c/kernels.h"

#define SAXPY(target, pointers, length, block) SAXPY_LAUNCHED(target, pointers, length, block, "{}")
/* With what it says of launches. */
#define SAXPY_LAUNCHED(target, pointers, length, block, launch)                                    \
  SAXPY_WITH(target, pointers, length, block,                                                      \
             "\"num_warps\": 4, \"threads_per_warp\": 32, \"shared_bytes\": 512,"                  \
             " \"launch\": " launch)

static void testKernel(void) {
  float x[3] = {1, 2, 3}, y[3] = {10, 20, 30};
  TilewrightKernel *kernel = NULL;
  EXPECT(tilewright_open_memory(SAXPY("hip:gfx1201", "1", "1", "128"), "one ", 5, &kernel) == 0);
  if (!kernel)
    return;
  setArguments(kernel, x, y);
  EXPECT(tilewright_launch(kernel, 7, 2, 1, (void *)99) == 0);
  /* What a HSACO needs of shared memory it says itself. */
  EXPECT_LOG("load one on 0\nlaunch one on 0: grid 7 2 1, block 128 1 1, shared 0, stream 99, "
             "extra 0, a 0.5, n 3\n");
  EXPECT(y[0] == 10.5f && y[1] == 21 && y[2] == 31.5f);
  int value = 0;
  EXPECT(tilewright_get_attribute(kernel, TILEWRIGHT_REGISTERS, &value) == 0 && value == 32);
  EXPECT(tilewright_get_attribute(kernel, TILEWRIGHT_CONCURRENT_PROGRAMS, &value) == 0);
  EXPECT(value == 80);
  EXPECT_ERROR(tilewright_load(kernel, 2), "there is no HIP device 2: the driver has 2");
  /* The thread stays on the device on which it was. */
  EXPECT(tilewright_load(kernel, 1) == 0);
  EXPECT_LOG("device 1\nload one on 1\ndevice 0\ndevice 1\ndevice 0\nunload one\n");
  const uint64_t words[4] = {0, 0, 0x40000000, 5};
  EXPECT(tilewright_launch_words(kernel, 1, 1, 1, NULL, words, 4) == 0);
  EXPECT_LOG("device 1\nlaunch one on 1: grid 1 1 1, block 128 1 1, shared 0, stream 0, extra 0, "
             "a 2, n 5\ndevice 0\n");
  EXPECT_ERROR(tilewright_launch_words(kernel, 1, 1, 1, NULL, words, 3), "takes 4 words and got 3");
  tilewright_close(kernel);
  EXPECT_LOG("device 1\nunload one\ndevice 0\n");
  EXPECT(tilewright_open_memory(SAXPY("hip:gfx1201", "1", "1", "128"), "refuse", 7, &kernel) == 0);
  EXPECT_ERROR(tilewright_load(kernel, 0), "no kernel image is available");
  tilewright_close(kernel);
}

/* All blocks at the same time: the driver is asked for that. */
static void testCooperative(void) {
  TilewrightKernel *kernel = NULL;
  EXPECT(tilewright_open_memory(
             SAXPY_LAUNCHED("hip:gfx1201", "1", "1", "128", "{\"cooperative\": true}"), "all ", 5,
             &kernel) == 0);
  const uint64_t words[4] = {0, 0, 0x40000000, 5};
  EXPECT(tilewright_launch_words(kernel, 2, 1, 1, NULL, words, 4) == 0);
  EXPECT_LOG("load all on 0\ntogether: launch all on 0: grid 2 1 1, block 128 1 1, shared 0, "
             "stream 0, extra 0, a 2, n 5\n");
  tilewright_close(kernel);
  EXPECT_LOG("unload all\n");
  EXPECT_ERROR(
      tilewright_open_memory(SAXPY_LAUNCHED("hip:gfx1201", "1", "1", "128", "{\"cooperative\": 1}"),
                             "all ", 5, &kernel),
      "'launch.cooperative' must be true or false");
}

static TilewrightImage imageOf(const char *description, const char *code) {
  const TilewrightImage image = {description, code, strlen(code) + 1};
  return image;
}

static void testSet(void) {
  const TilewrightImage images[] = {imageOf(SAXPY("hip:gfx1100", "16", "16", "128"), "refuse"),
                                    imageOf(SAXPY("hip:gfx1201", "1", "1", "128"), "any "),
                                    imageOf(SAXPY("hip:gfx1201", "16", "16", "128"), "aligned "),
                                    imageOf(SAXPY("hip:gfx1201", "16", "1", "128"), "addresses "),
                                    imageOf(SAXPY("hip:gfx1201", "1", "16", "256"), "large ")};
  TilewrightKernelSet *set = NULL;
  EXPECT(tilewright_open_set(images, 5, &set) == 0);
  if (!set)
    return;
  /* The value of BLOCK differs, so callers give it. */
  EXPECT(tilewright_get_word_count(set) == 5);
  const TilewrightQueue queue = {TILEWRIGHT_HIP, 0, NULL};
  uint64_t words[5] = {0, 0, 0x3f800000, 32, 128};
#define LAUNCH() tilewright_launch_set(set, queue, 1, 1, 1, words, 5)
#define LAUNCHED(name, n)                                                                          \
  "launch " name " on 0: grid 1 1 1, block 128 1 1, shared 0, stream 0, extra 0, a 1, n " n "\n"
  EXPECT(LAUNCH() == 0);
  EXPECT_LOG("load aligned on 0\n" LAUNCHED("aligned", "32"));
  words[3] = 40;
  EXPECT(LAUNCH() == 0);
  EXPECT_LOG("load addresses on 0\n" LAUNCHED("addresses", "40"));
  words[0] = 4;
  words[3] = 0;
  EXPECT(LAUNCH() == 0);
  EXPECT_LOG("load any on 0\n" LAUNCHED("any", "0"));
  words[0] = 0;
  words[3] = 64;
  EXPECT(LAUNCH() == 0);
  EXPECT_LOG(LAUNCHED("aligned", "64"));
  words[4] = 256;
  EXPECT(LAUNCH() == 0);
  EXPECT_LOG("load large on 0\n" LAUNCHED("large", "64"));
  words[3] = 65;
  EXPECT_ERROR(LAUNCH(), "hip:gfx1201: 'n' is a multiple of 16 and 'BLOCK' is 256");
  EXPECT_ERROR(tilewright_launch_set(set, queue, 1, 1, 1, words, 4), "takes 5 words and got 4");
  words[3] = 64;
  EXPECT_ERROR(tilewright_launch_set(set, queue, 0, 1, 1, words, 5),
               "the grid of 'saxpy' is empty");
  const TilewrightQueue other = {TILEWRIGHT_XPU, 0, NULL};
  EXPECT_ERROR(tilewright_launch_set(set, other, 1, 1, 1, words, 5),
               "not compiled for xpu, but for hip:gfx1100, hip:gfx1201");
  EXPECT_LOG("");
  tilewright_close_set(set);
  takeLog();

  /* All that a device was offered it refused. */
  EXPECT(tilewright_open_set(images, 1, &set) == 0);
  EXPECT_ERROR(tilewright_launch_set(set, queue, 1, 1, 1, words, 4), "no kernel image");
  tilewright_close_set(set);
  const TilewrightImage mixed[] = {
      images[1], imageOf("{\"name\": \"saxpy\", \"target\": \"hip:gfx1201\", \"num_warps\": 4,"
                         " \"threads_per_warp\": 32, \"shared_bytes\": 0, \"arguments\": []}",
                         "none ")};
  EXPECT_ERROR(tilewright_open_set(mixed, 2, &set), "no specializations of one");
  EXPECT_ERROR(tilewright_open_set(mixed, 0, &set), "the set has no kernel");
}

int main(int argc, char **argv) {
  if (argc != 2 || !openStandIn(argv[1]))
    return 2;
  testKernel();
  testCooperative();
  testSet();
  return reportFailures();
}
