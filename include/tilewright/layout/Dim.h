//===- Dim.h - Interned names of layout dimensions ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A dimension of a layout is a name: "register", "lane", "dim0". Names are interned
// once for the life of the process, so a Dim is a small number: it is copied and
// compared as one. Nothing may depend on the order of these numbers (a name that is
// not predeclared gets the next free one), which is why Dim has no operator<.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_DIM_H
#define TILEWRIGHT_LAYOUT_DIM_H

#include <cstdint>
#include <string_view>

namespace tilewright::layout {

class Dim {
public:
  /// The dimension with this name; the same name always gives an equal Dim. Safe to
  /// call from any thread. A name is not empty.
  static Dim get(std::string_view name);

  /// "dim0", "dim1", ...: dimension `index` of a tensor.
  static Dim tensor(unsigned index);

  /// The name. It stays valid for the life of the process.
  std::string_view name() const;

  friend constexpr bool operator==(Dim, Dim) = default;

  /// For a predeclared name only: its place in the table of Dim.cpp.
  static constexpr Dim predeclared(uint32_t id) { return Dim(id); }

private:
  constexpr explicit Dim(uint32_t id) : id(id) {}
  uint32_t id;
};

/// The predeclared dimensions.
namespace dims {
/// The number of a register: which of its elements a thread means.
inline constexpr Dim Register = Dim::predeclared(0);
/// The number of a thread in its warp.
inline constexpr Dim Lane = Dim::predeclared(1);
/// The number of a warp in its block.
inline constexpr Dim Warp = Dim::predeclared(2);
/// The number of a block (CTA) in its cluster.
inline constexpr Dim Block = Dim::predeclared(3);
/// An offset in memory, counted in elements.
inline constexpr Dim Offset = Dim::predeclared(4);
/// Dimensions of a tensor; for any index: Dim::tensor(index).
inline constexpr Dim Dim0 = Dim::predeclared(5);
inline constexpr Dim Dim1 = Dim::predeclared(6);
inline constexpr Dim Dim2 = Dim::predeclared(7);
inline constexpr Dim Dim3 = Dim::predeclared(8);
inline constexpr Dim Dim4 = Dim::predeclared(9);
} // namespace dims

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_DIM_H
