x = 1

y = 2
  
if x:
  y
  z
