//===- KeyReader.h - Parser of an encoding's keys -------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Encodings are written as `#dialect.name<{key = value, ..}>`, the keys in any order. Every
// function that reads a key reports its errors at the attribute: a missing key, a value of the
// wrong kind, a number that is too large.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_KEYREADER_H
#define TILEWRIGHT_IR_KEYREADER_H

#include "layout/encoding/Encodings.h"
#include "mlir/IR/DialectImplementation.h"

namespace tilewright::ir {

/// Whether a key must be there. An optional one that is not there leaves the value as it is.
enum class Presence { Required, Optional };

/// Reads a number from 0 to 2^31 - 1 that is not in a dictionary; errors call it `what`.
mlir::ParseResult parseNumber(mlir::AsmParser &parser, const llvm::Twine &what, unsigned &value);

/// The dictionary of an encoding. Each key is read once; keys that are left are unknown.
class KeyReader {
public:
  /// `encoding` is the name that errors speak of, such as "#ttg.blocked".
  KeyReader(mlir::AsmParser &parser, llvm::StringRef encoding)
      : parser(parser), encoding(encoding), loc(parser.getCurrentLocation()) {}

  /// Reads `<{ .. }>`.
  mlir::LogicalResult open();
  /// Reads `{ .. }`, where there is more between the angle brackets.
  mlir::LogicalResult openBraces();
  /// A reader of the dictionary that is the value of `key`; errors call it `name`.
  mlir::FailureOr<KeyReader> nested(llvm::StringRef key, llvm::StringRef name);

  bool has(llvm::StringRef key) const { return entries.contains(key); }

  /// A number from 0 to 2^31 - 1.
  mlir::LogicalResult integer(llvm::StringRef key, unsigned &value,
                              Presence presence = Presence::Required);
  mlir::LogicalResult boolean(llvm::StringRef key, bool &value,
                              Presence presence = Presence::Required);
  /// A list of such numbers.
  mlir::LogicalResult integers(llvm::StringRef key, std::vector<unsigned> &values,
                               Presence presence = Presence::Required);
  /// A list of bases, `[[..], ..]`; all must have the same number of coordinates, at least one.
  /// `rank` is that number, or 0 where it is not known yet; it then becomes known.
  mlir::LogicalResult bases(llvm::StringRef key, layout::LiteralBases &bases, unsigned &rank,
                            Presence presence = Presence::Required);
  /// Any attribute.
  mlir::LogicalResult attribute(llvm::StringRef key, mlir::Attribute &value);

  /// An error if a key is left that was not read. Encodings that ignore such keys do not call it.
  mlir::LogicalResult close();

  /// Begins an error at the attribute: with the encoding's name, or with "'key' of" its name.
  mlir::InFlightDiagnostic error() const;
  mlir::InFlightDiagnostic error(llvm::StringRef key) const;

private:
  void take(mlir::DictionaryAttr dictionary);
  /// The value of `key`, which is then known; null where there is none.
  mlir::Attribute take(llvm::StringRef key);
  /// The answer if `key` is not there.
  mlir::LogicalResult absent(llvm::StringRef key, Presence presence) const;
  mlir::LogicalResult numbers(llvm::StringRef key, mlir::Attribute attr,
                              std::vector<unsigned> &values) const;

  mlir::AsmParser &parser;
  llvm::StringRef encoding;
  llvm::SMLoc loc;
  llvm::SmallDenseMap<llvm::StringRef, mlir::Attribute, 8> entries;
};

} // namespace tilewright::ir

#endif // TILEWRIGHT_IR_KEYREADER_H
