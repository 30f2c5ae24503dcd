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

#include "recording.hpp"

#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>

namespace peer {

struct Candidate {
  uint32_t a, b, pair;
};

enum class Question { Intersects, Distance, Signed };

/// A recording and its candidates.
struct Work : Recording {
  std::vector<std::vector<Candidate>> candidates;  // of each frame
  size_t pair_count = 0;
  size_t candidate_count = 0;

  Work(std::istream& trace, std::istream& pairs) : Recording(trace) {
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
