// Boxes in, pairs counted: what the programs for broad phases share. See src/bin/boxes.rs.

#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace boxes {

struct Box {
  double min[3], max[3];
};

inline std::vector<std::vector<Box>> read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  uint32_t counts[2];
  file.read(reinterpret_cast<char*>(counts), sizeof counts);
  std::vector<std::vector<Box>> frames(counts[1], std::vector<Box>(counts[0]));
  for (std::vector<Box>& frame : frames)
    file.read(reinterpret_cast<char*>(frame.data()), static_cast<std::streamsize>(frame.size() * sizeof(Box)));
  if (!file) throw std::runtime_error("the file of boxes ends early");
  return frames;
}

// An engine is made from the boxes of the first frame; `frame` takes new ones; both count the pairs.
template <class Engine>
int run(int count, char** words, const char* name) {
  if (count != 2) return 2;
  const std::vector<std::vector<Box>> frames = read(words[1]);
  std::printf("%s\n", name);
  std::fflush(stdout);
  std::string line;
  while (std::getline(std::cin, line)) {
    Engine engine(frames[0]);
    size_t pairs = engine.pairs();
    for (size_t k = 1; k < frames.size(); ++k) {
      const auto start = std::chrono::steady_clock::now();
      pairs += engine.frame(frames[k]);
      const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
      std::printf("%.9f ", time.count());
    }
    std::printf("%zu\n", pairs);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace boxes
