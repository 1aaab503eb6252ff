//===- OpenClDriver.cpp - The OpenCL library, loaded at run time --------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "runtime/opencl/OpenClDriver.h"

#include "runtime/launch/SharedLibrary.h"

using namespace tilewright;
using namespace tilewright::runtime::opencl;

std::string runtime::opencl::describe(Status status) {
  static constexpr struct {
    Status status;
    const char *name;
  } names[] = {{-1, "CL_DEVICE_NOT_FOUND"},
               {-2, "CL_DEVICE_NOT_AVAILABLE"},
               {-3, "CL_COMPILER_NOT_AVAILABLE"},
               {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
               {-5, "CL_OUT_OF_RESOURCES"},
               {-6, "CL_OUT_OF_HOST_MEMORY"},
               {-7, "CL_PROFILING_INFO_NOT_AVAILABLE"},
               {-11, "CL_BUILD_PROGRAM_FAILURE"},
               {-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
               {-30, "CL_INVALID_VALUE"},
               {-33, "CL_INVALID_DEVICE"},
               {-34, "CL_INVALID_CONTEXT"},
               {-36, "CL_INVALID_COMMAND_QUEUE"},
               {-42, "CL_INVALID_BINARY"},
               {-43, "CL_INVALID_BUILD_OPTIONS"},
               {-44, "CL_INVALID_PROGRAM"},
               {-45, "CL_INVALID_PROGRAM_EXECUTABLE"},
               {-46, "CL_INVALID_KERNEL_NAME"},
               {-47, "CL_INVALID_KERNEL_DEFINITION"},
               {-48, "CL_INVALID_KERNEL"},
               {-49, "CL_INVALID_ARG_INDEX"},
               {-50, "CL_INVALID_ARG_VALUE"},
               {-51, "CL_INVALID_ARG_SIZE"},
               {-52, "CL_INVALID_KERNEL_ARGS"},
               {-54, "CL_INVALID_WORK_GROUP_SIZE"},
               {-55, "CL_INVALID_WORK_ITEM_SIZE"},
               {-59, "CL_INVALID_OPERATION"},
               {-61, "CL_INVALID_BUFFER_SIZE"},
               {-63, "CL_INVALID_GLOBAL_WORK_SIZE"},
               {-1001, "CL_PLATFORM_NOT_FOUND_KHR"}};
  std::string text = "status " + std::to_string(status);
  for (const auto &entry : names)
    if (entry.status == status)
      return std::string(entry.name) + " (" + text + ")";
  return text;
}

static constexpr runtime::Symbol<Driver> table[] = {
    runtime::required<&Driver::getPlatformIds>("clGetPlatformIDs"),
    runtime::required<&Driver::getDeviceIds>("clGetDeviceIDs"),
    runtime::required<&Driver::getDeviceInfo>("clGetDeviceInfo"),
    runtime::required<&Driver::getExtensionFunction>("clGetExtensionFunctionAddressForPlatform"),
    runtime::required<&Driver::createContext>("clCreateContext"),
    runtime::required<&Driver::retainContext>("clRetainContext"),
    runtime::required<&Driver::releaseContext>("clReleaseContext"),
    runtime::required<&Driver::createQueue>("clCreateCommandQueue"),
    runtime::required<&Driver::getQueueInfo>("clGetCommandQueueInfo"),
    runtime::required<&Driver::releaseQueue>("clReleaseCommandQueue"),
    runtime::required<&Driver::finish>("clFinish"),
    runtime::required<&Driver::buildProgram>("clBuildProgram"),
    runtime::required<&Driver::getProgramBuildInfo>("clGetProgramBuildInfo"),
    runtime::required<&Driver::releaseProgram>("clReleaseProgram"),
    runtime::required<&Driver::createKernel>("clCreateKernel"),
    runtime::required<&Driver::releaseKernel>("clReleaseKernel"),
    runtime::required<&Driver::getKernelWorkGroupInfo>("clGetKernelWorkGroupInfo"),
    runtime::required<&Driver::setKernelArgument>("clSetKernelArg"),
    runtime::required<&Driver::enqueueKernel>("clEnqueueNDRangeKernel"),
    runtime::required<&Driver::getEventProfilingInfo>("clGetEventProfilingInfo"),
    runtime::required<&Driver::releaseEvent>("clReleaseEvent"),
    runtime::optional<&Driver::enqueueBarrier>("clEnqueueBarrierWithWaitList"),
    runtime::optional<&Driver::createProgramWithIL>("clCreateProgramWithIL"),
    runtime::optional<&Driver::svmAllocate>("clSVMAlloc"),
    runtime::optional<&Driver::svmFree>("clSVMFree"),
    runtime::optional<&Driver::enqueueSvmCopy>("clEnqueueSVMMemcpy"),
    runtime::optional<&Driver::setKernelArgumentSvm>("clSetKernelArgSVMPointer"),
    runtime::optional<&Driver::setKernelExecInfo>("clSetKernelExecInfo"),
};

static Expected<Driver> open() {
  return runtime::SharedLibrary::load(
      {.what = "OpenCL", .library = "the OpenCL library", .files = {"libOpenCL.so.1"}}, table,
      "install OpenCL and the GPU's driver for it, or run the kernel on the simulator");
}

Expected<const Driver *> runtime::opencl::openDriver() {
  static const Expected<Driver> driver = open();
  if (!driver)
    return driver.error();
  return &*driver;
}
