// Carries the precompiled header; see CMakeLists.txt.
