"""The language of AMD's instruction pseudocode: text to a syntax tree of tuples.

Statements: ("assign", target, operator, value), ("tie", targets, value) for `{ a, b } = value`,
("if", [(condition, body)..], otherwise), ("for", name, first, last, body), ("declare", name, kind,
bits, count), ("break",).
Expressions: ("number", kind, bits, value), ("name", name), ("field", of, kind, bits),
("index", of, position), ("slice", of, high, low), ("cast", kind, bits, of), ("concat", parts),
("call", name, arguments), ("lambda", parameters, body), ("unary", operator, of),
("binary", operator, left, right),
("choose", condition, yes, no).
Kinds are U, I, F and B as in `32'U`, and BF, FP and BF8 for the narrow floating-point fields.
"""

import re

TOKEN = re.compile(r"""
    (?P<space>\s+|//[^\n]*)
  | (?P<number>\d+'(?:0x[0-9a-fA-F]+|\d+\.\d+|\d+)[UI]?
              |0x[0-9a-fA-F]+(?:ULL|LL|U)?
              |\d+\.\d+F?
              |\d+(?:ULL|LL|U)?(?!['\d]))
  | (?P<cast>\d+'[UIFB](?=\(|\s|;|\[|$))
  | (?P<name>[A-Za-z_]\w*)
  | (?P<sign>\*\*|<<|>>|<=|>=|==|!=|<>|&&|\|\||\+:|[-+*/|&^]=|[-+*/%&|^~!<>=?:;,.(){}\[\]])
""", re.VERBOSE)

# From what binds least to what binds most.
LEVELS = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!=", "<>"], ["<", "<=", ">", ">="],
          ["<<", ">>"], ["+", "-"], ["*", "/", "%"]]


def tokens(text):
    position, result = 0, []
    while position < len(text):
        match = TOKEN.match(text, position)
        if not match:
            raise SyntaxError(f"pseudocode: {text[position:position + 40]!r}")
        position = match.end()
        if match.lastgroup != "space":
            result.append((match.lastgroup, match.group()))
    return result


def number(text):
    """A literal's kind, bits and value: `1'1U`, `16'0.5`, `0x10ULL`, `1.0F`, `3`."""
    bits, _, digits = text.rpartition("'")
    suffix = re.search(r"(ULL|LL|U|I)$", digits)
    plain = digits[:suffix.start()] if suffix else digits
    if "." in digits:
        return ("number", "F", int(bits or (32 if digits.endswith("F") else 64)),
                float(digits.rstrip("F")))
    kind = "U" if suffix and suffix.group() in ("U", "ULL") else "I"
    value = int(plain, 0)
    if not bits:
        bits = 64 if suffix and "LL" in suffix.group() or value > 0xFFFFFFFF else 32
        if kind == "I" and value >> (int(bits) - 1):
            kind = "U"
    return ("number", kind, int(bits), value)


class Parser:
    def __init__(self, text):
        self.tokens, self.position = tokens(text), 0

    def peek(self, ahead=0):
        place = self.position + ahead
        return self.tokens[place][1] if place < len(self.tokens) else None

    def take(self, *expected):
        text = self.peek()
        if expected and text not in expected:
            raise SyntaxError(f"pseudocode: {text!r} where one of {expected} should be")
        self.position += 1
        return text

    def block(self, *ends):
        statements = []
        while self.peek() is not None and self.peek() not in ends:
            if self.peek() == ";":
                self.take()
            else:
                statements.append(self.statement())
        return statements

    def statement(self):
        first = self.peek()
        if first == "if":
            return self.conditional()
        if first == "for":
            return self.loop()
        if first == "declare":
            return self.declaration()
        if first == "break":
            self.take()
            return ("break",)
        if first == "{":
            target = self.primary()
            self.take("=")
            return ("tie", target[1], self.expression())
        target = self.postfix()
        if self.peek() in ("=", "+=", "-=", "*=", "|=", "&=", "^="):
            operator = self.take()[:-1]
            return ("assign", target, operator, self.expression())
        return ("call statement", target)

    def conditional(self):
        arms, otherwise = [], []
        self.take("if")
        while True:
            condition = self.expression()
            self.take("then")
            arms.append((condition, self.block("elsif", "else", "endif")))
            end = self.take("elsif", "else", "endif")
            if end == "else":
                otherwise = self.block("endif")
                end = self.take("endif")
            if end == "endif":
                return ("if", arms, otherwise)

    def loop(self):
        self.take("for")
        name = self.take()
        self.take("in")
        first = self.expression()
        self.take(":")
        last = self.expression()
        self.take("do")
        body = self.block("endfor")
        self.take("endfor")
        return ("for", name, first, last, body)

    def declaration(self):
        self.take("declare")
        name = self.take()
        self.take(":")
        bits, kind = self.take().split("'")
        count = None
        if self.peek() == "[":
            self.take()
            count = int(self.take())
            self.take("]")
        return ("declare", name, kind, int(bits), count)

    def expression(self):
        condition = self.level(0)
        if self.peek() != "?":
            return condition
        self.take()
        yes = self.expression()
        self.take(":")
        return ("choose", condition, yes, self.expression())

    def level(self, depth):
        if depth == len(LEVELS):
            return self.unary()
        left = self.level(depth + 1)
        while self.peek() in LEVELS[depth]:
            operator = self.take()
            left = ("binary", operator, left, self.level(depth + 1))
        return left

    def unary(self):
        if self.peek() in ("-", "~", "!", "+"):
            return ("unary", self.take(), self.unary())
        base = self.postfix()
        if self.peek() == "**":
            self.take()
            return ("binary", "**", base, self.unary())
        return base

    def postfix(self):
        value = self.primary()
        while self.peek() in (".", "["):
            if self.take() == ".":
                field = self.take()
                match = re.fullmatch(r"(fp|bf|f|u|i|b)(\d+)", field)
                if not match:  # a bit of the machine's state, as TRAPSTS.INVALID
                    value = ("name", f"{value[1]}.{field}")
                    continue
                kind = match.group(1).upper()
                bits = int(match.group(2))
                kind = {"BF": "BF" if bits == 16 else "BF8"}.get(kind, kind)
                value = ("field", value, kind, bits)
                continue
            high = self.expression()
            if self.peek() == ":":
                self.take()
                value = ("slice", value, high, self.expression())
            else:
                value = ("index", value, high)
            self.take("]")
        return value

    def arguments(self, end):
        result = []
        while self.peek() != end:
            result.append(self.expression())
            if self.peek() == ",":
                self.take()
        self.take(end)
        return result

    def primary(self):
        group, text = self.tokens[self.position]
        self.position += 1
        if group == "number":
            return number(text)
        if group == "cast":
            bits, kind = text.split("'")
            self.take("(")
            inside = self.expression()
            self.take(")")
            return ("cast", kind, int(bits), inside)
        if text == "(":
            inside = self.expression()
            self.take(")")
            return inside
        if text == "lambda":
            self.take("(")
            parameters = [name for _, name in self.arguments(")")]
            self.take("(")
            body = self.expression()
            self.take(")")
            return ("lambda", parameters, body)
        if text == "{":
            return ("concat", self.arguments("}"))
        if group == "name":
            if self.peek() == "(":
                self.take()
                return ("call", text, self.arguments(")"))
            return ("name", text)
        raise SyntaxError(f"pseudocode: unexpected {text!r}")


def parse(text):
    parser = Parser(text)
    statements = parser.block()
    if parser.peek() is not None:
        raise SyntaxError(f"pseudocode: unexpected {parser.peek()!r}")
    return statements
