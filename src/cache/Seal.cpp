//===- Seal.cpp - Entries that show whether they are whole --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cache/Seal.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cstring>

using namespace tilewright;
using namespace tilewright::cache;

namespace {
struct Header {
  std::array<char, 8> format = {'T', 'W', 'C', 'A', 'C', 'H', 'E', '2'};
  Key key;
  Key checksum;
  uint64_t size = 0;
};
static_assert(std::has_unique_object_representations_v<Header>);
} // namespace

std::string cache::seal(const Key &key, std::string_view content) {
  Header header;
  header.key = key;
  header.checksum = hashOf(content);
  header.size = content.size();
  std::string entry;
  entry.reserve(sizeof header + content.size());
  entry.append(reinterpret_cast<const char *>(&header), sizeof header);
  entry += content;
  return entry;
}

Result<std::string_view> cache::unseal(const Key &key, std::string_view entry) {
  Header header;
  if (entry.size() < sizeof header)
    return Failure("it ends after " + std::to_string(entry.size()) + " bytes, inside of its head");
  std::memcpy(&header, entry.data(), sizeof header);
  if (header.format != Header().format)
    return Failure("it does not begin as an entry does");
  if (header.key != key)
    return Failure("it is the entry of another key");
  std::string_view content = entry.substr(sizeof header);
  if (content.size() != header.size)
    return Failure("it has " + std::to_string(content.size()) + " bytes of content, not " +
                   std::to_string(header.size));
  if (hashOf(content) != header.checksum)
    return Failure("its content does not have the checksum that it states");
  return content;
}

bool cache::isOfOtherVersion(std::string_view entry) {
  const std::array<char, 8> format = Header().format;
  const size_t last = format.size() - 1;
  return entry.size() > last && std::equal(format.begin(), format.begin() + last, entry.begin()) &&
         llvm::isDigit(entry[last]) && entry[last] != format[last];
}
