// Two meshes along a path: what the programs for meshes share. See src/bin/meshes.rs.

#pragma once

#include "peer.hpp"

namespace meshes {

struct Scene {
  std::vector<peer::Shape> shapes;
  std::vector<std::vector<peer::Placement>> frames;

  explicit Scene(std::istream& trace) {
    peer::read<uint64_t>(trace);  // "CTRACE1" and 0
    shapes.resize(peer::read<uint32_t>(trace));
    for (peer::Shape& shape : shapes) {
      shape.vertices = peer::read_many<double>(trace, size_t{3} * peer::read<uint32_t>(trace));
      shape.triangles = peer::read_many<uint32_t>(trace, size_t{3} * peer::read<uint32_t>(trace));
    }
    const uint32_t bodies = peer::read<uint32_t>(trace);
    peer::read_many<uint32_t>(trace, bodies);
    frames.resize(peer::read<uint32_t>(trace));
    for (auto& frame : frames) frame = peer::read_many<peer::Placement>(trace, bodies);
  }
};

// An engine is made from the two meshes; `intersects` and `distance` take the two placements.
template <class Engine>
int run(int count, char** words, const char* name) try {
  if (count != 2) return 2;
  std::ifstream trace(words[1], std::ios::binary);
  const Scene scene(trace);
  Engine engine(scene.shapes[0], scene.shapes[1]);
  std::printf("%s\n", name);
  std::fflush(stdout);
  std::string line;
  while (std::getline(std::cin, line)) {
    const bool is_distance = line == "distance";
    std::vector<double> answers;
    for (const auto& frame : scene.frames) {
      const auto start = std::chrono::steady_clock::now();
      const double answer = is_distance ? engine.distance(frame[0], frame[1]) : engine.intersects(frame[0], frame[1]);
      const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
      std::printf("%.9f ", time.count());
      answers.push_back(answer);
    }
    for (double answer : answers) std::printf("%.17g ", answer);
    std::printf("\n");
    std::fflush(stdout);
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

}  // namespace meshes
