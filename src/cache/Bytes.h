//===- Bytes.h - Values as bytes, and back --------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A number is its bytes, a text or a list its length and what is in it, an optional value a flag
// and the value. A struct is its members, in the order of `fields(value)`, a tuple of references:
//
//   template <OneOf<Point> T> auto fields(T &point) {
//     auto &[x, y] = point;
//     return std::tie(x, y);
//   }
//
// The names of all members stand in it, so that a member that is added does not compile before it
// is decided whether it is written. The bytes stay on one kind of machine: their order is its own.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CACHE_BYTES_H
#define TILEWRIGHT_CACHE_BYTES_H

#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace tilewright::cache {

/// `T` is `Struct`, or const.
template <typename T, typename Struct>
concept OneOf = std::same_as<std::remove_const_t<T>, Struct>;

template <typename T>
concept Number = std::is_arithmetic_v<T> || std::is_enum_v<T>;

class ByteWriter {
public:
  template <Number T> ByteWriter &operator<<(T value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
    return *this;
  }
  ByteWriter &operator<<(std::string_view text) {
    *this << uint64_t(text.size());
    bytes += text;
    return *this;
  }
  ByteWriter &operator<<(const std::string &text) { return *this << std::string_view(text); }
  template <typename T> ByteWriter &operator<<(const std::optional<T> &value) {
    *this << value.has_value();
    return value ? *this << *value : *this;
  }
  template <typename T> ByteWriter &operator<<(const std::vector<T> &list) {
    *this << uint64_t(list.size());
    for (const T &item : list)
      *this << item;
    return *this;
  }
  template <typename T>
    requires(!Number<T>)
  ByteWriter &operator<<(const T &value) {
    std::apply([&](const auto &...members) { (*this << ... << members); }, fields(value));
    return *this;
  }

  std::string bytes;
};

/// Reads what a ByteWriter wrote. What is no such thing is noticed (`isGood`), whatever it is: the
/// values are then of no use.
class ByteReader {
public:
  explicit ByteReader(std::string_view bytes) : rest(bytes) {}

  template <Number T> ByteReader &operator>>(T &value) {
    if (std::string_view taken = take(sizeof value); isGood)
      std::memcpy(&value, taken.data(), sizeof value);
    return *this;
  }
  ByteReader &operator>>(bool &value) {
    uint8_t byte = 0;
    *this >> byte;
    isGood &= byte <= 1;
    value = byte == 1;
    return *this;
  }
  ByteReader &operator>>(std::string &text) {
    uint64_t size = 0;
    *this >> size;
    text = take(size);
    return *this;
  }
  template <typename T> ByteReader &operator>>(std::optional<T> &value) {
    bool has = false;
    *this >> has;
    return has ? *this >> value.emplace() : *this;
  }
  template <typename T> ByteReader &operator>>(std::vector<T> &list) {
    uint64_t size = 0;
    *this >> size;
    // Every item has a byte at least: a length that is none costs no memory.
    for (isGood &= size <= rest.size(); isGood && size; --size)
      *this >> list.emplace_back();
    return *this;
  }
  template <typename T>
    requires(!Number<T>)
  ByteReader &operator>>(T &value) {
    isGood &= ++depth <= maxDepth;
    if (isGood)
      std::apply([&](auto &...members) { (*this >> ... >> members); }, fields(value));
    --depth;
    return *this;
  }

  /// Whether all was there so far.
  bool isGood = true;
  bool isAtEnd() const { return rest.empty(); }

private:
  std::string_view take(uint64_t size) {
    isGood &= size <= rest.size();
    if (!isGood)
      return {};
    std::string_view taken = rest.substr(0, size);
    rest.remove_prefix(size);
    return taken;
  }

  /// The depth of structs in each other. Diagnostics with their notes have a few.
  static constexpr int maxDepth = 64;
  int depth = 0;
  std::string_view rest;
};

} // namespace tilewright::cache

#endif // TILEWRIGHT_CACHE_BYTES_H
