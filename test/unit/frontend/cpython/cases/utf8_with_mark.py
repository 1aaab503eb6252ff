# -*- coding: utf-8 -*-
α = 1
naïve = "ü"
f(α, b)
    
	
if α:
    pass