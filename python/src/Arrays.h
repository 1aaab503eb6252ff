//===- Arrays.h - Arrays of other Python libraries ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Where an array's memory is and what its elements are, by whichever protocol its type speaks. No
// library that makes arrays is imported or linked for this.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PYTHON_ARRAYS_H
#define TILEWRIGHT_PYTHON_ARRAYS_H

#include "DLPack.h"
#include "Devices.h"
#include "tilewright/HostArray.h"

#include <Python.h>

#include <optional>
#include <string>

namespace tilewright::python {

struct Array {
  uint64_t address = 0;
  runtime::ElementType type = runtime::ElementType::Float32;
  /// Its number (Devices.h).
  int device = hostDevice;
  /// The stream on which its owner works, where the protocol says so with every array: CUstream,
  /// hipStream_t, or the address of a sycl::queue.
  std::optional<uint64_t> stream;
};

/// How the arrays of a type are read. The order is that of preference, where one speaks several.
enum class Protocol : uint8_t {
  None,
  /// DLPack's table of C functions: no Python object is made.
  Exchange,
  /// `__array_interface__`: NumPy.
  HostInterface,
  /// Methods and attributes as PyTorch's tensors have: `data_ptr()`, `dtype`, `device`.
  Tensor,
  /// `__cuda_array_interface__`: CuPy, Numba.
  CudaInterface,
  /// `__sycl_usm_array_interface__`: dpctl, dpnp.
  SyclInterface,
  /// A capsule of DLPack's.
  Capsule,
};

struct ArrayReader {
  Protocol protocol = Protocol::None;
  const dlpack::ExchangeApi *api = nullptr;
};

/// How to read instances of the type; Protocol::None if they are no arrays.
ArrayReader readerOf(PyTypeObject *type);

/// Reads an array. False after an error: a Python exception is set, or `wrong` says what is wrong,
/// to follow "the argument 'x' ".
bool readArray(PyObject *object, const ArrayReader &reader, Array &array, std::string &wrong);

/// The stream on which the array's library works now on the array's GPU; false after an exception.
bool currentStream(const ArrayReader &reader, const Array &array, uint64_t &stream);

/// The type that a name stands for: that of a torch or NumPy dtype ("torch.float16", "int32"), or
/// Triton's ("fp16").
std::optional<runtime::ElementType> elementTypeOf(std::string_view name);

/// That of an object whose text is such a name; no exception is left.
std::optional<runtime::ElementType> elementTypeOf(PyObject *dtype);

} // namespace tilewright::python

#endif // TILEWRIGHT_PYTHON_ARRAYS_H
