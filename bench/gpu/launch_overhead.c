//===- launch_overhead.c - What a launch costs beside the driver's own --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Times on the host, in turn, launches of an empty kernel of four arguments: by cuLaunchKernel
// itself, by the launch library with arguments that are set, with words, with an argument set anew
// before each, and by a set of two specializations. Needs a GPU of NVIDIA's:
//
//   cmake --preset release -DTILEWRIGHT_BENCHMARKS=ON && ninja -C build/release
//   bench-launch-overhead
//
//===--------------------------------------------------------------------------===//

#include "tilewright-c/kernels.h"
#include "tilewright-c/launch.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS 200
#define LAUNCHES 200

static const char ptx[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                          ".visible .entry empty(.param .u64 x, .param .u64 y, .param .f32 a,"
                          " .param .u32 n) { ret; }\n";
#define DESCRIPTION(divisibility)                                                                  \
  "{\"name\": \"empty\", \"target\": \"cuda:80\", \"num_warps\": 4, \"threads_per_warp\": 32,"     \
  " \"shared_bytes\": 0, \"arguments\": ["                                                         \
  " {\"name\": \"x\", \"type\": \"*fp32\", \"divisibility\": " divisibility "},"                   \
  " {\"name\": \"y\", \"type\": \"*fp32\", \"divisibility\": " divisibility "},"                   \
  " {\"name\": \"a\", \"type\": \"fp32\"}, {\"name\": \"n\", \"type\": \"i32\"}]}"

static int (*cuInit)(unsigned);
static int (*cuDevicePrimaryCtxRetain)(void **, int);
static int (*cuCtxSetCurrent)(void *);
static int (*cuCtxSynchronize)(void);
static int (*cuModuleLoadData)(void **, const void *);
static int (*cuModuleGetFunction)(void **, void *, const char *);
static int (*cuLaunchKernel)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                             unsigned, void *, void **, void **);

static void check(int status, const char *what) {
  if (status) {
    fprintf(stderr, "%s: status %d, %s\n", what, status, tilewright_last_error());
    exit(1);
  }
}

static void *function;
static TilewrightKernel *kernel;
static TilewrightKernelSet *set;
static uint64_t words[4] = {256, 512, 0x3f800000, 7};

static int byDriver(void) {
  void *parameters[] = {&words[0], &words[1], &words[2], &words[3]};
  return cuLaunchKernel(function, 1, 1, 1, 128, 1, 1, 0, NULL, parameters, NULL);
}
static int bySetArguments(void) { return tilewright_launch(kernel, 1, 1, 1, NULL); }
static int byWords(void) { return tilewright_launch_words(kernel, 1, 1, 1, NULL, words, 4); }
static int byNewArguments(void) {
  return tilewright_set_pointer(kernel, 0, words[0]) | tilewright_set_pointer(kernel, 1, words[1]) |
         tilewright_set_float(kernel, 2, 1.0) | tilewright_set_integer(kernel, 3, 7) |
         tilewright_launch(kernel, 1, 1, 1, NULL);
}
static int bySet(void) {
  const TilewrightQueue queue = {TILEWRIGHT_CUDA, 0, NULL};
  return tilewright_launch_set(set, queue, 1, 1, 1, words, 4);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(void) {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver) {
    fprintf(stderr, "there is no CUDA driver\n");
    return 1;
  }
#define FIND(name) *(void **)&name = dlsym(driver, #name)
  FIND(cuInit);
  FIND(cuDevicePrimaryCtxRetain);
  FIND(cuCtxSetCurrent);
  FIND(cuCtxSynchronize);
  FIND(cuModuleLoadData);
  FIND(cuModuleGetFunction);
  FIND(cuLaunchKernel);
  void *context, *module;
  check(cuInit(0), "cuInit");
  check(cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
  check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  check(cuModuleLoadData(&module, ptx), "cuModuleLoadData");
  check(cuModuleGetFunction(&function, module, "empty"), "cuModuleGetFunction");

  check(tilewright_open_memory(DESCRIPTION("1"), ptx, sizeof ptx, &kernel), "opening");
  check(tilewright_load(kernel, 0), "loading");
  check(byNewArguments(), "setting");
  const TilewrightImage images[] = {{DESCRIPTION("1"), ptx, sizeof ptx},
                                    {DESCRIPTION("16"), ptx, sizeof ptx}};
  check(tilewright_open_set(images, 2, &set), "opening a set");

  static const struct {
    const char *name;
    int (*launch)(void);
  } ways[] = {{"cuLaunchKernel", byDriver},
              {"tilewright_launch", bySetArguments},
              {"tilewright_launch_words", byWords},
              {"tilewright_set_*, tilewright_launch", byNewArguments},
              {"tilewright_launch_set", bySet}};
  enum { wayCount = sizeof ways / sizeof *ways };
  static double times[wayCount][ROUNDS];
  for (int round = -10; round < ROUNDS; ++round)
    for (int way = 0; way < wayCount; ++way) {
      const double begin = now();
      for (int i = 0; i < LAUNCHES; ++i)
        check(ways[way].launch(), ways[way].name);
      const double took = now() - begin;
      check(cuCtxSynchronize(), "cuCtxSynchronize");
      if (round >= 0)
        times[way][round] = took / LAUNCHES;
    }
  double base = 0;
  for (int way = 0; way < wayCount; ++way) {
    qsort(times[way], ROUNDS, sizeof(double), compare);
    const double median = times[way][ROUNDS / 2];
    if (way == 0)
      base = median;
    printf("%-36s %7.0f ns, the least %7.0f ns, over the driver's own %+7.0f ns\n", ways[way].name,
           median, times[way][0], median - base);
  }
  return 0;
}
