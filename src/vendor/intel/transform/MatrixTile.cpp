//===- MatrixTile.cpp - Rectangles of matrices that ops access ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/transform/MatrixTile.h"

#include "analysis/TripCount.h"
#include "ir/ttg/Dialect.h"
#include "plan/block2d/BlockMessage.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::vendor::intel;
using namespace tilewright::transform;

namespace {

/// Finds one.
class Finder {
public:
  Finder(const target::Target &target, const AxisInfoAnalysis &axes, ScalarSymbols &symbols,
         TileForms &forms, Operation *op, RankedTensorType type, unsigned messageBytes)
      : axes(axes), symbols(symbols), forms(forms), op(op), type(type),
        limits(*plan::block2d::blockMessageLimits(target)),
        elementBytes(tt::getStorageBits(tt::getElementTypeOrSelf(tt::getPointeeType(type))) / 8),
        alignment(std::max({limits.widthMultiple, elementBytes, messageBytes})) {}

  Expected<MatrixTile> find(Value pointers, Value mask);

private:
  tilewright::Diagnostic notAffine(const char *what, const char *remedy) const;
  /// The number of the loop's iteration; terms that have it.
  Polynomial iteration() { return Polynomial::ofSymbol(symbols.getIteration(tile.loop)); }
  Polynomial changing(const Polynomial &polynomial) {
    if (!tile.loop)
      return {};
    return polynomial.termsWith(
        [&](unsigned symbol) { return symbol == symbols.getIteration(tile.loop); });
  }
  Polynomial at(const Polynomial &polynomial, const Polynomial &iteration) {
    return tile.loop ? polynomial.replace(symbols.getIteration(tile.loop), iteration) : polynomial;
  }
  /// How much the polynomial grows from one iteration to the next.
  Polynomial growth(const Polynomial &polynomial) { return at(polynomial, 1) - at(polynomial, 0); }
  /// The number of the last iteration.
  Polynomial last();

  /// The bound of the mask along `dim`; null if there is none. An error if there are several.
  Expected<const Polynomial *> findBound(unsigned dim, bool isUpper) const;
  Expected<Polynomial> findPosition(unsigned dim, const Polynomial &start) const;
  Expected<void> addSlices();
  void findLoop();
  Expected<void> setExtent(unsigned dim, const TileForm &form, Polynomial &start, Polynomial &size);
  /// That a tile's beginning, of numbers of 64 bits, is one of 32, as messages have it, with room.
  Expected<void> requireWord(const Polynomial &start);
  Expected<void> addConditions();
  /// That `value` is a multiple of `divisor`, or not negative if that is 0. An error if it is known
  /// not to be.
  Expected<void> require(const Polynomial &value, int64_t divisor, const SurfaceRule &rule);
  Expected<void> requireNow(const Polynomial &value, int64_t divisor, const SurfaceRule &rule);

  const AxisInfoAnalysis &axes;
  ScalarSymbols &symbols;
  TileForms &forms;
  Operation *op;
  RankedTensorType type;
  const plan::block2d::BlockMessageLimits &limits;
  const unsigned elementBytes;
  /// Bytes that the matrix, its width and the tile's first column are multiples of.
  const unsigned alignment;
  SmallVector<TileBound, 4> bounds;
  /// Whether the tile may begin on the left of the matrix, where the mask leaves columns out.
  bool mayBeginBefore = false;
  Value lastIteration;
  MatrixTile tile;
};

// What is said of rules that several places ask for.
constexpr SurfaceRule beginsBefore = {"the tile begins before the matrix",
                                      "make its first row and column positions that are not "
                                      "negative"};
constexpr SurfaceRule leavesOutFirst = {
    "the mask leaves out rows or columns before the tile's first",
    "compare positions with 0 that count from the matrix's beginning, or use a tensor descriptor"};
constexpr SurfaceRule beginsAnew = {"its rows or columns begin anew",
                                    "mask what is beyond the matrix's end instead of a `%`"};
constexpr SurfaceRule isMisaligned = {"the matrix begins at an address that messages cannot have",
                                      "say in the signature that the pointer is divisible, such as "
                                      "*fp16:64"};

} // namespace

tilewright::Diagnostic Finder::notAffine(const char *what, const char *remedy) const {
  std::string text = std::string(what) + " not those of a rectangle of a matrix";
  if (Operation *source = forms.getObstacle() ? forms.getObstacle().getDefiningOp() : nullptr)
    text += ": they come from '" + source->getName().getStringRef().str() + "'";
  return makeError(text, remedy);
}

Polynomial Finder::last() {
  APInt lower, upper, step;
  scf::ForOp loop = tile.loop;
  if (matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) &&
      matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) &&
      matchPattern(loop.getStep(), m_ConstantInt(&step))) {
    const int64_t length = upper.getSExtValue() - lower.getSExtValue();
    return std::max<int64_t>(llvm::divideCeilSigned(length, step.getSExtValue()), 1) - 1;
  }
  if (!lastIteration) {
    OpBuilder builder(loop);
    Value count = createTripCount(builder, loop);
    Value one = arith::ConstantOp::create(builder, loop.getLoc(),
                                          builder.getIntegerAttr(count.getType(), 1));
    lastIteration = arith::SubIOp::create(builder, loop.getLoc(), count, one);
  }
  // A loop that does not run accesses nothing.
  return Polynomial::ofSymbol(symbols.get(lastIteration, /*isNonNegative=*/true));
}

/// The loop of which all that the tile depends on is known before it.
void Finder::findLoop() {
  auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
  if (!loop || !loop.isDefinedOutsideOfLoop(tile.base))
    return;
  auto isKnown = [&](const Polynomial &polynomial) {
    return polynomial.allSymbols([&](unsigned symbol) {
      return symbols.getLoop(symbol) == loop ||
             symbols.isKnownAt(Polynomial::ofSymbol(symbol), loop);
    });
  };
  // Products of two iterations' numbers are not largest at the ends.
  auto isLinear = [&](const Polynomial &polynomial) {
    return llvm::all_of(polynomial.getTerms(), [&](const auto &term) {
      return llvm::count(term.first, symbols.getIteration(loop)) <= 1;
    });
  };
  bool isFit = !tile.pitch.has(symbols.getIteration(loop)) &&
               !tile.slicePitch.has(symbols.getIteration(loop));
  for (const Polynomial *part :
       {&tile.baseOffset, &tile.row, &tile.column, &tile.pitch, &tile.slicePitch})
    isFit &= isKnown(*part) && isLinear(*part);
  for (const TileBound &bound : bounds)
    isFit &= isKnown(bound.value) && isLinear(bound.value);
  for (const Polynomial &condition : forms.getConditions())
    isFit &= isKnown(condition) && isLinear(condition);
  if (isFit)
    tile.loop = loop;
}

Expected<const Polynomial *> Finder::findBound(unsigned dim, bool isUpper) const {
  const Polynomial *found = nullptr;
  for (const TileBound &bound : bounds) {
    if (bound.dim != dim || bound.isUpper != isUpper)
      continue;
    if (found && *found != bound.value)
      return makeError("the mask has several bounds along dimension " + std::to_string(dim),
                       "compare positions with one size, the smaller of the two");
    found = &bound.value;
  }
  return found;
}

/// Where the tile begins along a dimension, of what it begins `start` elements after a pointer;
/// the rest is where the matrix begins. A mask tells positions: it ends at the matrix's size less
/// the position, and begins at the position's negative. What it does not tell of, such as a batch
/// times its elements, is no position; numbers, and what a loop adds to them, are.
Expected<Polynomial> Finder::findPosition(unsigned dim, const Polynomial &start) const {
  Expected<const Polynomial *> lower = findBound(dim, false), upper = findBound(dim, true);
  if (!lower || !upper)
    return lower ? upper.error() : lower.error();
  if (*lower)
    return **lower * -1;
  if (!*upper)
    return start;
  Polynomial position;
  for (const auto &[product, coefficient] : start.getTerms()) {
    const auto taken = (*upper)->getTerms().find(product);
    const bool isTold = taken != (*upper)->getTerms().end() && taken->second == -coefficient;
    if (!isTold && !llvm::all_of(product, [&](unsigned symbol) { return symbols.getLoop(symbol); }))
      continue;
    Polynomial term = coefficient;
    for (unsigned symbol : product)
      term = term * Polynomial::ofSymbol(symbol);
    position = position + term;
  }
  return position;
}

/// What is asked for by slices, and by bounds that hold for the whole tile or for none of it.
Expected<void> Finder::addSlices() {
  constexpr SurfaceRule isOutside = {"the tile, or a slice of it, is out of bounds",
                                     "launch no program for what is out of bounds"};
  for (const TileBound &bound : bounds)
    if (!bound.dim)
      if (Expected<void> valid = require(bound.value, 0, isOutside); !valid)
        return valid;
  if (type.getRank() == 2)
    return {};
  for (bool isUpper : {false, true}) {
    Expected<const Polynomial *> bound = findBound(0, isUpper);
    if (!bound)
      return bound.error();
    if (!*bound)
      continue;
    const Polynomial room = isUpper ? **bound - type.getDimSize(0) : **bound * -1;
    if (Expected<void> valid = require(room, 0, isOutside); !valid)
      return valid;
  }
  return require(tile.slicePitch * static_cast<int64_t>(elementBytes), limits.baseAlignment,
                 {"the tensor's slices are no multiples of 64 bytes apart",
                  "say in the signature that the stride of slices is divisible, such as i32:32"});
}

/// Where the tile begins along a dimension, `start`, and where the matrix ends.
Expected<void> Finder::setExtent(unsigned dim, const TileForm &form, Polynomial &start,
                                 Polynomial &size) {
  Expected<const Polynomial *> lowerBound = findBound(dim, false),
                               upperBound = findBound(dim, true);
  if (!lowerBound || !upperBound)
    return lowerBound ? upperBound.error() : lowerBound.error();
  const Polynomial *lower = *lowerBound, *upper = *upperBound;
  if (!upper && !lower) {
    // All that does not change goes into the matrix's beginning.
    const Polynomial moved = changing(start);
    tile.baseOffset = tile.baseOffset + (start - moved) * form.steps[dim];
    start = moved;
  }
  if (Expected<void> valid = requireWord(start); !valid)
    return valid;
  if (upper)
    size = start + *upper;
  else
    size = (tile.loop ? at(start, changing(start).isZero() ? Polynomial() : last()) : start) +
           type.getDimSize(dim);
  if (!lower)
    return require(start, 0, beginsBefore);
  // The matrix's own bound is 0.
  const Polynomial first = start + *lower;
  mayBeginBefore = first.isZero() && !symbols.isNonNegative(start);
  if (first.isZero())
    return {};
  if (Expected<void> valid = require(start, 0, beginsBefore); !valid)
    return valid;
  return require(first * -1, 0, leavesOutFirst);
}

Expected<void> Finder::requireWord(const Polynomial &start) {
  const bool isNarrow = start.allSymbols([&](unsigned symbol) {
    Type type = symbols.getValue(symbol).getType();
    return type.isInteger() && type.getIntOrFloatBitWidth() <= 32;
  });
  if (isNarrow)
    return {};
  constexpr int64_t limit = int64_t(1) << 30;
  constexpr SurfaceRule rule = {
      "the tile begins 2^30 rows or columns from the matrix's first, or farther",
      "add the distance to the base pointer"};
  if (Expected<void> valid = require(Polynomial(limit) - start, 0, rule); !valid)
    return valid;
  return require(start + limit, 0, rule);
}

Expected<void> Finder::requireNow(const Polynomial &value, int64_t divisor,
                                  const SurfaceRule &rule) {
  if (divisor ? symbols.isMultiple(value, divisor) : symbols.isNonNegative(value))
    return {};
  if (std::optional<int64_t> constant = value.asConstant()) {
    if (divisor ? *constant % divisor == 0 : *constant >= 0)
      return {};
    return makeError(rule.broken, rule.remedy);
  }
  tile.conditions.push_back({value, divisor, rule});
  return {};
}

Expected<void> Finder::require(const Polynomial &value, int64_t divisor, const SurfaceRule &rule) {
  if (changing(value).isZero())
    return requireNow(value, divisor, rule);
  const Polynomial grows = growth(value);
  if (Expected<void> valid = requireNow(at(value, 0), divisor, rule); !valid)
    return valid;
  if (divisor)
    return requireNow(grows, divisor, rule);
  if (symbols.isNonNegative(grows))
    return {};
  return requireNow(at(value, last()), 0, rule);
}

/// The rules of surfaces (plan/block2d/BlockMessage.h).
Expected<void> Finder::addConditions() {
  const Polynomial bytes = static_cast<int64_t>(elementBytes);
  // Columns that the matrix gains on the left where its beginning is aligned down.
  Polynomial gained;
  OpBuilder builder(tile.loop ? tile.loop.getOperation() : op);
  Location loc = op->getLoc();
  const int64_t known = axes.get(tile.base).divisorOfAll(elementBytes);
  // What is gained must be the same in all iterations.
  const Polynomial moving = changing(tile.baseOffset);
  if (Expected<void> valid = require(moving * bytes, limits.baseAlignment, isMisaligned); !valid)
    return valid;
  tile.baseOffset = tile.baseOffset - moving;
  const Polynomial offset = tile.baseOffset * bytes;
  tile.isAligned =
      known >= limits.baseAlignment && symbols.isMultiple(offset, limits.baseAlignment);
  if (!tile.isAligned) {
    Value base = tile.base;
    if (!tile.baseOffset.isZero())
      base =
          tt::AddPtrOp::create(builder, loc, base.getType(), base,
                               symbols.emit(builder, loc, tile.baseOffset, builder.getI64Type()));
    tile.base = base;
    tile.baseOffset = {};
    Value address = tt::PtrToIntOp::create(builder, loc, builder.getI64Type(), base);
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
    };
    // Columns on the left that the mask leaves out must not become the matrix's.
    const int64_t needed = mayBeginBefore ? limits.baseAlignment : alignment;
    if (known < needed || !symbols.isMultiple(offset, needed))
      tile.conditions.push_back({Polynomial::ofSymbol(symbols.get(address)), needed, isMisaligned});
    if (!mayBeginBefore) {
      Value beyond =
          arith::AndIOp::create(builder, loc, address, constant(limits.baseAlignment - 1));
      if (elementBytes > 1)
        beyond =
            arith::ShRUIOp::create(builder, loc, beyond, constant(llvm::Log2_32(elementBytes)));
      gained = Polynomial::ofSymbol(symbols.get(beyond, /*isNonNegative=*/true));
    }
    tile.column = tile.column + gained;
    tile.width = tile.width + gained;
    tile.baseOffset = gained * -1;
  }
  tile.baseOffset = tile.baseOffset + moving;
  const Polynomial width = tile.width * bytes, pitch = tile.pitch * bytes;
  const auto maxBytes = static_cast<int64_t>(limits.maxSurfaceBytes);
  struct Requirement {
    Polynomial value;
    int64_t divisor;
    SurfaceRule rule;
  };
  const Requirement requirements[] = {
      {pitch,
       limits.pitchMultiple,
       {"the distance of rows is no multiple of 16 bytes",
        "say in the signature that the stride is divisible, such as i32:16, or pad the rows"}},
      {(tile.column - gained) * bytes,
       alignment,
       {"a row of the tile does not begin at a multiple of a message's elements",
        "let tiles begin at multiples of their size, from a matrix that is aligned"}},
      {(tile.width - gained) * bytes,
       std::max(limits.widthMultiple, elementBytes),
       {"rows of the matrix are no multiples of 4 bytes",
        "say in the signature that the number of columns is divisible, such as i32:16, or pad the "
        "rows"}},
      {width - limits.minSurfaceBytes,
       0,
       {"rows of the matrix have less than 64 bytes", "load more columns at a time"}},
      {Polynomial(maxBytes) - pitch,
       0,
       {"rows of the matrix are more than 2^24 bytes apart", "use a smaller stride"}},
      {pitch - width,
       0,
       {"rows of the matrix are longer than they are apart",
        "mask the columns with the number that a row has"}},
      {tile.height - 1, 0, {"no row of the matrix is in bounds", "launch no program for it"}},
      {Polynomial(static_cast<int64_t>(limits.maxSurfaceRows)) - tile.height,
       0,
       {"the matrix has more than 2^24 rows", "move the base pointer to the first row needed"}},
  };
  for (const auto &[value, divisor, rule] : requirements)
    if (Expected<void> valid = require(value, divisor, rule); !valid)
      return valid;
  return {};
}

Expected<MatrixTile> Finder::find(Value pointers, Value mask) {
  std::optional<TileForm> form = forms.get(pointers);
  if (!form)
    return notAffine("its addresses are",
                     "compute them as base + rows[:, None] * stride + columns[None, :] with ranges "
                     "of rows and columns, or use a tensor descriptor");
  if (mask) {
    auto found = forms.getBounds(mask);
    if (!found)
      return notAffine("the bounds of its mask are",
                       "compare rows and columns with sizes, and join the two by `&`");
    bounds = *found;
  }
  const Polynomial one = 1;
  const auto rank = static_cast<unsigned>(type.getRank());
  tile.columnMajor = form->steps[rank - 1] != one;
  const unsigned across = tile.columnMajor ? rank - 2 : rank - 1, along = 2 * rank - 3 - across;
  if (form->steps[across] != one)
    return makeError("neither its rows nor its columns are known to be contiguous",
                     "make their stride 1 in the source, or a constexpr; Python's launches find "
                     "arguments that are 1 themselves");
  tile.base = form->base;
  tile.pitch = form->steps[along];
  if (tile.pitch.isZero())
    return makeError("its rows are all the same", "load one row, and broadcast it");
  if (rank == 3 && type.getDimSize(0) > 1)
    tile.slicePitch = form->steps[0];
  const Polynomial rows = form->start.dividedBy(tile.pitch);
  Expected<Polynomial> row = findPosition(along, rows),
                       column = findPosition(across, form->start - rows * tile.pitch);
  if (!row || !column)
    return row ? column.error() : row.error();
  tile.row = *row;
  tile.column = *column;
  tile.baseOffset = form->start - tile.row * tile.pitch - tile.column;
  findLoop();
  for (const Polynomial &condition : forms.getConditions())
    if (Expected<void> valid = require(condition, 0, beginsAnew); !valid)
      return valid.error();
  if (Expected<void> valid = addSlices(); !valid)
    return valid.error();
  if (Expected<void> valid = setExtent(along, *form, tile.row, tile.height); !valid)
    return valid.error();
  if (Expected<void> valid = setExtent(across, *form, tile.column, tile.width); !valid)
    return valid.error();
  if (Expected<void> valid = addConditions(); !valid)
    return valid.error();
  return tile;
}

bool MatrixTiles::hasContiguousColumns(Value pointers) {
  std::optional<TileForm> form = TileForms(symbols).get(pointers);
  if (!form)
    return false;
  const Polynomial one = 1;
  const auto steps = ArrayRef(form->steps).take_back(2);
  return steps[0] == one && steps[1] != one;
}

Expected<MatrixTile> MatrixTiles::find(Operation *op, Value pointers, Value mask,
                                       unsigned messageBytes) {
  TileForms forms(symbols);
  return Finder(target, axes, symbols, forms, op, cast<RankedTensorType>(pointers.getType()),
                messageBytes)
      .find(pointers, mask);
}
