// What the driver itself takes for launches, for launch.py: cuLaunchKernel (CUDA driver API) in a
// loop, without Python. cc -O2 -shared -fPIC -o libdriver_loop.so driver_loop.c
#include <time.h>

typedef int (*LaunchKernel)(void *function, unsigned gridX, unsigned gridY, unsigned gridZ,
                            unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                            void *stream, void **parameters, void **extra);

// Seconds for `count` launches of one block; negative if one fails.
double timeLaunches(LaunchKernel launch, void *function, unsigned threads, void **parameters,
                    int count) {
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int i = 0; i < count; ++i)
    if (launch(function, 1, 1, 1, threads, 1, 1, 0, 0, parameters, 0))
      return -1;
  clock_gettime(CLOCK_MONOTONIC, &end);
  return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}
