// Poses in, intersecting pairs out: what the programs for whole frames share. See src/bin/frames/program.rs.
//
// An engine is a class with
//   static const char* name();
//   explicit Engine(const Recording&);                   at the poses of the first frame
//   void convert(const std::vector<Placement>&);         takes the poses of a frame into the library's own types; not timed
//   void find(std::vector<Pair>&);                       moves the bodies there and finds the candidates
//   bool test(const Pair&);                              whether a candidate intersects

#pragma once

#include "recording.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

namespace peer {

using Pair = std::array<uint32_t, 2>;

template <class T>
void write(const T* values, size_t count) {
  std::cout.write(reinterpret_cast<const char*>(values), static_cast<std::streamsize>(count * sizeof(T)));
}

/// All frames from a fresh start. For each: seconds until the candidates are there, seconds of the whole, the numbers of
/// candidates and of intersecting pairs, and those pairs.
template <class Engine>
void run(const Recording& recording) {
  using Clock = std::chrono::steady_clock;
  Engine engine(recording);
  std::vector<Pair> pairs;
  for (const std::vector<Placement>& frame : recording.frames) {
    engine.convert(frame);
    pairs.clear();
    const auto start = Clock::now();
    engine.find(pairs);
    const auto found = Clock::now();
    const uint32_t candidates = static_cast<uint32_t>(pairs.size());
    pairs.erase(std::remove_if(pairs.begin(), pairs.end(), [&](const Pair& pair) { return !engine.test(pair); }), pairs.end());
    const auto end = Clock::now();
    const double seconds[] = {std::chrono::duration<double>(found - start).count(), std::chrono::duration<double>(end - start).count()};
    const uint32_t counts[] = {candidates, static_cast<uint32_t>(pairs.size())};
    write(seconds, 2);
    write(counts, 2);
    write(pairs.data(), pairs.size());
  }
  std::cout.flush();
}

/// The whole program: a run for each line of the input.
template <class Engine>
int serve_frames(int argc, char** argv) try {
  if (argc != 2) throw std::runtime_error("usage: " + std::string(argv[0]) + " TRACE, started by impinge-peers-frames");
  std::ifstream trace(argv[1], std::ios::binary);
  const Recording recording(trace);
  std::cout << Engine::name() << std::endl;
  std::string line;
  while (std::getline(std::cin, line)) run<Engine>(recording);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

}  // namespace peer
