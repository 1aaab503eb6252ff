if a:
    if b:
        c
  # comment at an odd place
        d



e