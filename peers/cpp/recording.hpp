// A recording as its file has it: shapes, bodies, and where they are in each frame (docs/formats.md, traces).

#pragma once

#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <vector>

namespace peer {

struct Shape {
  std::vector<double> vertices;    // three each
  std::vector<uint32_t> triangles;  // three each
};

struct Placement {
  double x, y, z, w;     // the rotation
  double tx, ty, tz;  // the translation
};

template <class T>
T read(std::istream& in) {
  T value;
  if (!in.read(reinterpret_cast<char*>(&value), sizeof value)) throw std::runtime_error("the input is too short");
  return value;
}

template <class T>
std::vector<T> read_many(std::istream& in, size_t count) {
  std::vector<T> values(count);
  if (!in.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(count * sizeof(T))))
    throw std::runtime_error("the input is too short");
  return values;
}

struct Recording {
  std::vector<Shape> shapes;
  std::vector<uint32_t> shape_of;
  std::vector<std::vector<Placement>> frames;

  explicit Recording(std::istream& trace) {
    read<uint64_t>(trace);  // "CTRACE1" and 0
    shapes.resize(read<uint32_t>(trace));
    for (Shape& shape : shapes) {
      shape.vertices = read_many<double>(trace, size_t{3} * read<uint32_t>(trace));
      shape.triangles = read_many<uint32_t>(trace, size_t{3} * read<uint32_t>(trace));
    }
    const uint32_t bodies = read<uint32_t>(trace);
    shape_of = read_many<uint32_t>(trace, bodies);
    frames.resize(read<uint32_t>(trace));
    for (auto& frame : frames) frame = read_many<Placement>(trace, bodies);
  }
};

}  // namespace peer
