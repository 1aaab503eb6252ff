if a:
    b = 1
    c = """x
y"""

d = 2 \
  + 3