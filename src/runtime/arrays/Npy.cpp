//===- Npy.cpp - The .npy file format -----------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The format (NumPy Enhancement Proposal 1): the bytes "\x93NUMPY", a version of two
// bytes, the header's length (two bytes in version 1, four later), a header that is a
// Python dictionary such as
//
//   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
//
// padded with blanks and a line break, and the elements.
//
//===--------------------------------------------------------------------------===//

#include "runtime/arrays/ElementType.h"
#include "runtime/files/Files.h"

#include <charconv>
#include <cstring>

using namespace tilewright;
using namespace tilewright::runtime;

constexpr std::string_view magic = "\x93NUMPY";
constexpr size_t alignment = 64;

namespace {

/// Reads the header's dictionary, of which only three keys and the values that NumPy
/// writes for them are known.
class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : rest(text) {}

  std::string_view descr;
  bool fortranOrder = false;
  std::vector<int64_t> shape;

  bool parse() {
    if (!take('{'))
      return false;
    bool sawDescr = false, sawOrder = false, sawShape = false;
    while (!take('}')) {
      std::string_view key;
      if (!quoted(key) || !take(':'))
        return false;
      if (key == "descr")
        sawDescr = quoted(descr);
      else if (key == "fortran_order")
        sawOrder = boolean();
      else if (key == "shape")
        sawShape = tuple();
      else
        return false;
      if (!take(',') && peek() != '}')
        return false;
    }
    return sawDescr && sawOrder && sawShape;
  }

private:
  char peek() {
    size_t blanks = rest.find_first_not_of(" \t\n");
    rest.remove_prefix(std::min(blanks, rest.size()));
    return rest.empty() ? '\0' : rest.front();
  }
  bool take(char wanted) {
    if (peek() != wanted)
      return false;
    rest.remove_prefix(1);
    return true;
  }
  bool word(std::string_view wanted) {
    peek();
    if (!rest.starts_with(wanted))
      return false;
    rest.remove_prefix(wanted.size());
    return true;
  }
  bool quoted(std::string_view &text) {
    char quote = peek();
    if (quote != '\'' && quote != '"')
      return false;
    size_t end = rest.find(quote, 1);
    if (end == std::string_view::npos)
      return false;
    text = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    return true;
  }
  bool boolean() {
    fortranOrder = word("True");
    return fortranOrder || word("False");
  }
  bool tuple() {
    if (!take('('))
      return false;
    while (!take(')')) {
      peek();
      int64_t extent = 0;
      auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), extent);
      if (problem != std::errc() || extent < 0)
        return false;
      rest.remove_prefix(end - rest.data());
      shape.push_back(extent);
      if (!take(',') && peek() != ')')
        return false;
    }
    return true;
  }

  std::string_view rest;
};

} // namespace

/// The type that the notation stands for. Types of one byte have no byte order, which
/// some programs still write. Raw bits come as integers (see HostArray.h).
static std::optional<ElementType> typeOf(std::string_view descr) {
  for (const ElementTypeInfo &info : elementTypes()) {
    bool sameKind = descr.size() == 3 && descr.substr(1) == info.npy.substr(1);
    bool sameOrder = descr.substr(0, 1) == info.npy.substr(0, 1) ||
                     (info.bytes == 1 && (descr[0] == '<' || descr[0] == '>' || descr[0] == '='));
    if (sameKind && sameOrder)
      return info.type;
  }
  return std::nullopt;
}

Expected<HostArray> runtime::parseNpy(std::string_view contents, const std::string &file) {
  auto bytes = [&](size_t at) { return static_cast<unsigned char>(contents[at]); };
  if (!contents.starts_with(magic) || contents.size() < magic.size() + 4)
    return makeFileError(file, "this is no .npy file",
                         "save the array with numpy.save, or with --save of `tilewright run`");
  int version = bytes(6);
  size_t lengthBytes = version == 1 ? 2 : 4;
  size_t headerBegin = magic.size() + 2 + lengthBytes;
  if (version < 1 || version > 3)
    return makeFileError(file,
                         "version " + std::to_string(version) + " of the .npy format is not known");
  std::string cutShort = "the .npy file is cut short";
  if (contents.size() < headerBegin)
    return makeFileError(file, cutShort);
  size_t headerLength = 0;
  for (size_t i = 0; i < lengthBytes; ++i)
    headerLength |= size_t(bytes(magic.size() + 2 + i)) << 8 * i;
  if (contents.size() - headerBegin < headerLength)
    return makeFileError(file, cutShort);

  HeaderParser header(contents.substr(headerBegin, headerLength));
  if (!header.parse())
    return makeFileError(file, "the .npy file's header cannot be understood");
  std::optional<ElementType> type = typeOf(header.descr);
  if (!type)
    return makeFileError(file,
                         "the element type '" + std::string(header.descr) + "' has no counterpart",
                         "convert the array to a little-endian number type before saving it");
  if (header.fortranOrder && header.shape.size() > 1)
    return makeFileError(file, "the array is stored column by column",
                         "save numpy.ascontiguousarray(array)");

  std::string_view data = contents.substr(headerBegin + headerLength);
  size_t wanted = sizeOf(*type);
  for (int64_t extent : header.shape)
    if (__builtin_mul_overflow(wanted, static_cast<size_t>(extent), &wanted))
      return makeFileError(file, "the array is too large");
  if (data.size() != wanted)
    return makeFileError(file, "the .npy file holds " + std::to_string(data.size()) +
                                   " bytes of data where its shape needs " +
                                   std::to_string(wanted));
  HostArray array(*type, std::move(header.shape));
  if (wanted > 0)
    std::memcpy(array.bytes.data(), data.data(), wanted);
  return array;
}

Expected<HostArray> runtime::readNpy(const std::string &file) {
  Expected<std::string> contents = readFile(file);
  if (!contents)
    return contents.error();
  return parseNpy(*contents, file);
}

std::string runtime::formatNpy(const HostArray &array) {
  std::string header =
      "{'descr': '" + std::string(infoOf(array.type).npy) + "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < array.shape.size(); ++i)
    header += (i ? ", " : "") + std::to_string(array.shape[i]);
  header += array.shape.size() == 1 ? ",), }" : "), }";
  size_t unpadded = magic.size() + 4 + header.size() + 1;
  header.append((alignment - unpadded % alignment) % alignment, ' ');
  header += '\n';

  std::string out(magic);
  out += '\x01';
  out += '\x00';
  out += static_cast<char>(header.size() & 255);
  out += static_cast<char>(header.size() >> 8);
  out += header;
  out.append(reinterpret_cast<const char *>(array.bytes.data()), array.bytes.size());
  return out;
}

Expected<void> runtime::writeNpy(const std::string &file, const HostArray &array) {
  return writeFile(file, formatNpy(array));
}
