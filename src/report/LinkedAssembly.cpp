//===- LinkedAssembly.cpp - Assembly with links to its sources ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "report/LinkedText.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::report;

namespace {

class AssemblyReader {
public:
  explicit AssemblyReader(Places &places) : places(places) {}

  LinkedText read(StringRef text) {
    SmallVector<StringRef> lines;
    text.split(lines, '\n', -1, /*KeepEmpty=*/true);
    // PTX names its files at the end.
    for (StringRef line : lines)
      if (StringRef statement = line.ltrim(); statement.consume_front(".file"))
        readFile(statement);
    for (StringRef line : lines)
      readLine(line);
    return std::move(result);
  }

private:
  void readLine(StringRef line) {
    StringRef statement = line.ltrim();
    if (statement.starts_with(".section") || statement.starts_with(".text"))
      isInDebugSection = statement.contains(".debug_");
    if (isInDebugSection || statement.starts_with(".file") || isDebugLabel(statement))
      return;
    if (statement.consume_front(".loc"))
      return readLoc(statement);
    if (isCode(statement))
      result.link(lineNumber, current);
    result.text += line;
    result.text += '\n';
    ++lineNumber;
  }

  /// Whether it is an instruction, rather than a label, a directive, a comment or a bracket.
  static bool isCode(StringRef statement) {
    if (statement.empty() || !(isAlnum(statement[0]) || statement[0] == '@' || statement[0] == '{'))
      return false;
    return !statement.split("//").first.split(';').first.rtrim().ends_with(":");
  }

  /// A label that only debug information uses: $L__tmp3: or .Ltmp3:
  static bool isDebugLabel(StringRef statement) {
    return (statement.consume_front("$L__tmp") || statement.consume_front(".Ltmp")) &&
           statement.rtrim().ends_with(":");
  }

  void readFile(StringRef statement) {
    unsigned number = 0;
    if (statement.ltrim().split(' ').first.getAsInteger(10, number) &&
        statement.ltrim().split('\t').first.getAsInteger(10, number))
      return;
    SmallVector<StringRef> parts;
    statement.split(parts, '"');
    // Blanks stand between the quoted parts: 1 "directory" "name".
    if (parts.size() < 3)
      return;
    SmallString<128> path;
    if (parts.size() >= 5 && !sys::path::is_absolute(parts[3])) {
      path = parts[1];
      sys::path::append(path, parts[3]);
    } else {
      path = parts[parts.size() >= 5 ? 3 : 1];
    }
    files[number] = places.fileNumber(path);
  }

  /// FILE LINE COLUMN at the beginning of `statement`.
  std::optional<Place> takePlace(StringRef &statement) const {
    unsigned numbers[3];
    for (unsigned &number : numbers) {
      statement = statement.ltrim();
      if (statement.consumeInteger(10, number))
        return std::nullopt;
    }
    auto file = files.find(numbers[0]);
    if (file == files.end())
      return std::nullopt;
    return Place{file->second, static_cast<int>(numbers[1]), static_cast<int>(numbers[2]),
                 Place::None};
  }

  /// The place of the call: what `inlined_at` or the comment of LLVM's printer says.
  int findCaller(StringRef statement) {
    if (size_t at = statement.find("inlined_at"); at != StringRef::npos) {
      StringRef rest = statement.drop_front(at + StringRef("inlined_at").size());
      if (std::optional<Place> place = takePlace(rest))
        return static_cast<int>(places.add(*place));
    }
    if (size_t at = statement.find("@["); at != StringRef::npos)
      return readCallers(statement.drop_front(at + 2));
    return Place::None;
  }

  /// NAME:LINE:COLUMN @[ .. ] ]
  int readCallers(StringRef text) {
    auto [own, outer] = text.split("@[");
    const int caller = outer.empty() ? Place::None : readCallers(outer);
    auto [withLine, column] = own.rtrim(" ]").rsplit(':');
    auto [name, line] = withLine.rsplit(':');
    Place place{places.fileNumber(name.trim()), 0, 0, caller};
    if (line.getAsInteger(10, place.line) || column.trim(" ]").getAsInteger(10, place.column))
      return caller;
    return static_cast<int>(places.add(place));
  }

  void readLoc(StringRef statement) {
    current.clear();
    std::optional<Place> place = takePlace(statement);
    // Line 0 stands for code that comes from no line.
    if (!place || place->line == 0)
      return;
    place->caller = findCaller(statement);
    current.push_back(places.add(*place));
  }

  Places &places;
  LinkedText result;
  unsigned lineNumber = 0;
  bool isInDebugSection = false;
  DenseMap<unsigned, unsigned> files;
  SmallVector<unsigned, 1> current;
};

} // namespace

LinkedText report::linkAssembly(StringRef text, Places &places) {
  return AssemblyReader(places).read(text);
}
