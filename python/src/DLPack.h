//===- DLPack.h - DLPack's data structures --------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The part of DLPack 1 (github.com/dmlc/dlpack, dlpack.h) that reading an array needs: layouts of
// structures and numbers of enumerations are that header's.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PYTHON_DLPACK_H
#define TILEWRIGHT_PYTHON_DLPACK_H

#include <cstdint>

namespace tilewright::python::dlpack {

// DLDeviceType.
constexpr int32_t cpu = 1, cuda = 2, cudaHost = 3, openCl = 4, rocm = 10, rocmHost = 11,
                  cudaManaged = 13, oneApi = 14;

struct Device {
  int32_t type;
  int32_t ordinal;
};

// DLDataTypeCode.
constexpr uint8_t codeInt = 0, codeUInt = 1, codeFloat = 2, codeBfloat = 4, codeBool = 6,
                  codeFloat8E4M3 = 10, codeFloat8E4M3FNUZ = 11, codeFloat8E5M2 = 12,
                  codeFloat8E5M2FNUZ = 13;

struct DataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};

/// DLTensor. Strides are in elements; null means row-major.
struct Tensor {
  void *data;
  Device device;
  int32_t rank;
  DataType type;
  int64_t *shape;
  int64_t *strides;
  uint64_t byteOffset;
};

/// DLManagedTensor, in capsules named "dltensor".
struct ManagedTensor {
  Tensor tensor;
  void *context;
  void (*deleter)(ManagedTensor *);
};

/// DLPackVersion.
struct Version {
  uint32_t major, minor;
};

/// DLPackExchangeAPI, in a capsule named "dlpack_exchange_api" that is the attribute
/// `__dlpack_c_exchange_api__` of a type. Functions return 0 on success, else with an exception
/// set.
struct ExchangeApi {
  Version version;
  const ExchangeApi *previous;
  void *allocate;
  void *managedFromObject;
  void *managedToObject;
  /// Fills a tensor that lives as long as the object; may be null.
  int (*tensorFromObject)(void *object, Tensor *tensor);
  int (*currentWorkStream)(int32_t deviceType, int32_t ordinal, void **stream);
};

} // namespace tilewright::python::dlpack

#endif // TILEWRIGHT_PYTHON_DLPACK_H
