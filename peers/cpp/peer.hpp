// What all engines in C++ share: reading the work, and answering impinge-peers.
//
// A program is started with the path of a recording, gets the candidates on its input, says what it can do, and then answers
// one line after the other; src/engines/child.rs describes both sides.
//
// An engine is a class with
//   static const char* name();
//   static const char* methods();                        QUESTION:MEMORY, separated by spaces
//   explicit Engine(const Work&);
//   void forget();                                       forgets all that is remembered about pairs
//   void place(const std::vector<Placement>&);           takes the poses of a frame; not timed
//   double answer(Question, bool is_coherent, const Candidate&);

#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
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

struct Candidate {
  uint32_t a, b, pair;
};

enum class Question { Intersects, Distance, Signed };

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

/// A recording and its candidates.
struct Work {
  std::vector<Shape> shapes;
  std::vector<uint32_t> shape_of;
  std::vector<std::vector<Placement>> frames;
  std::vector<std::vector<Candidate>> candidates;  // of each frame
  size_t pair_count = 0;
  size_t candidate_count = 0;

  Work(std::istream& trace, std::istream& pairs) {
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

    pair_count = read<uint32_t>(pairs);
    candidates.resize(frames.size());
    for (auto& frame : candidates) {
      frame = read_many<Candidate>(pairs, read<uint32_t>(pairs));
      candidate_count += frame.size();
    }
  }
};

inline Question question_of(const std::string& name) {
  if (name == "intersects") return Question::Intersects;
  if (name == "distance") return Question::Distance;
  if (name == "signed") return Question::Signed;
  throw std::runtime_error(name + " is no question");
}

/// Answers for every candidate of every frame, after the seconds that each frame took.
template <class Engine>
std::vector<double> run(const Work& work, Engine& engine, Question question, bool is_coherent) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> seconds, answers;
  answers.reserve(work.candidate_count);
  engine.forget();
  for (size_t frame = 0; frame < work.frames.size(); ++frame) {
    engine.place(work.frames[frame]);
    const auto start = Clock::now();
    for (const Candidate& candidate : work.candidates[frame])
      answers.push_back(engine.answer(question, is_coherent, candidate));
    seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  seconds.insert(seconds.end(), answers.begin(), answers.end());
  return seconds;
}

/// The whole program.
template <class Engine>
int serve(int argc, char** argv) try {
  if (argc != 2) throw std::runtime_error("usage: " + std::string(argv[0]) + " TRACE, started by impinge-peers");
  std::ifstream trace(argv[1], std::ios::binary);
  const Work work(trace, std::cin);
  Engine engine(work);
  std::cout << Engine::name() << ' ' << Engine::methods() << std::endl;
  std::string question, memory;
  while (std::cin >> question >> memory) {
    const std::vector<double> reply = run(work, engine, question_of(question), memory == "coherent");
    std::cout.write(reinterpret_cast<const char*>(reply.data()), static_cast<std::streamsize>(reply.size() * sizeof(double)));
    std::cout.flush();
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

}  // namespace peer
