//===- EmbeddedKernels.h - Kernels inside a C++ program -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What the functions that CMake's tilewright_add_kernels generates take and return:
//
//     if (auto status = kernels::softmax(tilewright::cudaQueue(stream), {rows}, x, out, 256, 200);
//         !status)
//       std::puts(status.message());
//
// Needs C++17 and the launch library alone. Any number of threads may launch at once.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMBEDDEDKERNELS_H
#define TILEWRIGHT_EMBEDDEDKERNELS_H

#include "tilewright-c/kernels.h"
#include "tilewright-c/launch.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

// Types of other headers, which need not be there.
struct __half;         // NOLINT(bugprone-reserved-identifier)
struct __nv_bfloat16;  // NOLINT(bugprone-reserved-identifier)
struct __hip_bfloat16; // NOLINT(bugprone-reserved-identifier)

namespace tilewright {

/// Whether a launch was queued.
class [[nodiscard]] Status {
public:
  explicit Status(int code) : code(code) {}
  explicit operator bool() const { return code == 0; }
  /// The error and its remedy; valid until the next failure in this thread.
  const char *message() const { return code ? tilewright_last_error() : ""; }

private:
  int code;
};

/// Programs along x, y and z.
struct Grid {
  uint32_t x = 1, y = 1, z = 1;
};

using Queue = TilewrightQueue;

/// A CUstream or cudaStream_t, a hipStream_t; null is the default stream of the GPU.
inline Queue cudaQueue(void *stream = nullptr, int device = 0) {
  return {TILEWRIGHT_CUDA, device, stream};
}
inline Queue hipQueue(void *stream = nullptr, int device = 0) {
  return {TILEWRIGHT_HIP, device, stream};
}
/// A cl_command_queue, whose context the kernel's memory is of.
inline Queue openClQueue(void *queue) { return {TILEWRIGHT_XPU, 0, queue}; }

/// Formats of numbers that C++ has no type for: IEEE 754's binary16, the upper half of a float, and
/// E5M2 and E4M3 of the specification "OCP 8-bit Floating Point", of which E4M3 has no infinities.
enum class SmallFormat { Fp16, Bf16, Fp8e5, Fp8e4nv };
template <SmallFormat format> struct SmallNumber;
using fp16 = SmallNumber<SmallFormat::Fp16>;
using bf16 = SmallNumber<SmallFormat::Bf16>;
using fp8e5 = SmallNumber<SmallFormat::Fp8e5>;
using fp8e4nv = SmallNumber<SmallFormat::Fp8e4nv>;
// These exist in arrays only.
struct fp8e4b15;
struct fp8e4b8;
struct fp8e5b16;

/// Whether objects of a type are such numbers: to be specialized for types of one's own.
template <typename Element, typename Type> struct IsElement : std::is_same<Element, Type> {};
template <> struct IsElement<fp16, ::__half> : std::true_type {};
template <> struct IsElement<bf16, ::__nv_bfloat16> : std::true_type {};
template <> struct IsElement<bf16, ::__hip_bfloat16> : std::true_type {};

/// A number of 8 or 16 bits.
template <SmallFormat format> struct SmallNumber {
  using Bits = std::conditional_t<format == SmallFormat::Fp16 || format == SmallFormat::Bf16,
                                  uint16_t, uint8_t>;
  Bits bits = 0;

  SmallNumber() = default;
  /// The nearest one, ties to even (tilewright_round).
  explicit SmallNumber(double value) {
    constexpr const char *names[] = {"fp16", "bf16", "fp8e5", "fp8e4nv"};
    uint64_t word = 0;
    if (tilewright_round(names[static_cast<int>(format)], value, &word) == 0)
      bits = static_cast<Bits>(word);
  }
  /// From an object of one's own type, by its bits.
  template <typename Type, typename = std::enable_if_t<!std::is_same_v<SmallNumber, Type> &&
                                                       IsElement<SmallNumber, Type>::value>>
  SmallNumber(const Type &number) {
    static_assert(sizeof(Type) == sizeof(Bits) && std::is_trivially_copyable_v<Type>);
    std::memcpy(&bits, &number, sizeof bits);
  }
  static SmallNumber fromBits(Bits bits) {
    SmallNumber number;
    number.bits = bits;
    return number;
  }
};

/// The address of an array in a GPU's memory.
template <typename Element> class Pointer {
public:
  Pointer(std::nullptr_t) {}
  template <typename Type,
            typename = std::enable_if_t<IsElement<Element, std::remove_const_t<Type>>::value>>
  Pointer(Type *pointer) : bits(reinterpret_cast<uintptr_t>(pointer)) {}
  /// An address as a number, such as a CUdeviceptr.
  static Pointer at(uint64_t address) {
    Pointer pointer(nullptr);
    pointer.bits = address;
    return pointer;
  }

  uint64_t address() const { return bits; }

private:
  uint64_t bits = 0;
};

/// A tensor for a tensor descriptor: sizes and strides in elements, the outermost dimension first.
template <typename Element, size_t rank> struct Tensor {
  Pointer<Element> pointer;
  std::array<int64_t, rank> shape, strides;
};

/// For the generated functions: the words of a launch, and the set of the specializations.
namespace embedded {

/// The words of arguments, one after the other.
template <size_t count> class Words {
public:
  template <typename Element> void add(Pointer<Element> pointer) { push(pointer.address()); }
  template <typename Element, size_t rank> void add(const Tensor<Element, rank> &tensor) {
    push(tensor.pointer.address());
    for (int64_t size : tensor.shape)
      push(static_cast<uint64_t>(size));
    for (int64_t stride : tensor.strides)
      push(static_cast<uint64_t>(stride));
  }
  template <SmallFormat format> void add(SmallNumber<format> number) { push(number.bits); }
  template <typename Number> std::enable_if_t<std::is_arithmetic_v<Number>> add(Number number) {
    uint64_t word = 0;
    std::memcpy(&word, &number, sizeof number);
    push(word);
  }

  const uint64_t *data() const { return words.data(); }
  int size() const { return count; }

private:
  void push(uint64_t word) { words[next++] = word; }

  std::array<uint64_t, count> words{};
  size_t next = 0;
};

/// A set that is opened when it is first needed and stays as long as the process: the driver may be
/// gone before the last destructor runs.
class KernelSet {
public:
  template <size_t count>
  explicit KernelSet(const TilewrightImage (&images)[count]) : images(images), imageCount(count) {
    tilewright_open_set(images, imageCount, &set);
  }

  template <size_t count>
  Status launch(const Queue &queue, Grid grid, const Words<count> &words) const {
    // Asked again, it says again what is wrong.
    if (TilewrightKernelSet *none; !set)
      return Status(tilewright_open_set(images, imageCount, &none));
    return Status(
        tilewright_launch_set(set, queue, grid.x, grid.y, grid.z, words.data(), words.size()));
  }

private:
  const TilewrightImage *images;
  int imageCount;
  TilewrightKernelSet *set = nullptr;
};

} // namespace embedded
} // namespace tilewright

#endif // TILEWRIGHT_EMBEDDEDKERNELS_H
