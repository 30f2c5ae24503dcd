// coal on recorded work: the rows of impinge-peers for a library that Rust cannot call.
//
// usage: coal REPEAT TRACE...     (TRACE.pairs must exist; `impinge-peers --pairs TRACE` writes it)

#include <coal/collision.h>
#include <coal/collision_object.h>
#include <coal/distance.h>
#include <coal/shape/convex.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

/// A file read number by number.
class Input {
 public:
  explicit Input(const std::string& path) : path_(path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error(path + ": cannot be read");
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
  }
  template <class T>
  T next() {
    if (at_ + sizeof(T) > bytes_.size()) throw std::runtime_error(path_ + ": too short");
    T value;
    std::copy_n(&bytes_[at_], sizeof(T), reinterpret_cast<char*>(&value));
    at_ += sizeof(T);
    return value;
  }

 private:
  std::string path_;
  std::vector<char> bytes_;
  size_t at_ = 0;
};

struct Candidate {
  uint32_t a, b, pair;
};

/// What impinge-peers calls the work.
struct Work {
  std::string name;
  std::vector<std::shared_ptr<coal::CollisionGeometry>> shapes;
  std::vector<uint32_t> shape_of;
  std::vector<std::vector<coal::Transform3s>> poses;
  std::vector<std::vector<Candidate>> candidates;
  size_t pair_count = 0;
  size_t candidate_count = 0;

  explicit Work(const std::string& path) : name(path.substr(path.rfind('/') + 1)) {
    name = name.substr(0, name.find('.'));
    Input in(path);
    in.next<uint64_t>();  // "CTRACE1" and 0
    for (uint32_t left = in.next<uint32_t>(); left > 0; --left) shapes.push_back(read_shape(in));
    for (uint32_t left = in.next<uint32_t>(); left > 0; --left) shape_of.push_back(in.next<uint32_t>());
    poses.resize(in.next<uint32_t>());
    for (auto& frame : poses) {
      for (size_t body = 0; body < shape_of.size(); ++body) frame.push_back(read_pose(in));
    }
    read_pairs(path + ".pairs");
  }

 private:
  static std::shared_ptr<coal::CollisionGeometry> read_shape(Input& in) {
    auto vertices = std::make_shared<std::vector<coal::Vec3s>>();
    for (uint32_t left = in.next<uint32_t>(); left > 0; --left) {
      const double x = in.next<double>(), y = in.next<double>(), z = in.next<double>();
      vertices->emplace_back(x, y, z);
    }
    auto triangles = std::make_shared<std::vector<coal::Triangle>>();
    for (uint32_t left = in.next<uint32_t>(); left > 0; --left) {
      const uint32_t i = in.next<uint32_t>(), j = in.next<uint32_t>(), k = in.next<uint32_t>();
      triangles->emplace_back(i, j, k);
    }
    return std::make_shared<coal::Convex<coal::Triangle>>(vertices, vertices->size(), triangles, triangles->size());
  }

  static coal::Transform3s read_pose(Input& in) {
    double v[7];
    for (double& number : v) number = in.next<double>();
    return {Eigen::Quaterniond(v[3], v[0], v[1], v[2]), coal::Vec3s(v[4], v[5], v[6])};
  }

  void read_pairs(const std::string& path) {
    Input in(path);
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> numbers;
    candidates.resize(poses.size());
    for (auto& frame : candidates) {
      for (uint32_t left = in.next<uint32_t>(); left > 0; --left) {
        const uint32_t a = in.next<uint32_t>(), b = in.next<uint32_t>();
        const uint32_t next = static_cast<uint32_t>(numbers.size());
        frame.push_back({a, b, numbers.emplace(std::make_pair(a, b), next).first->second});
      }
      candidate_count += frame.size();
    }
    pair_count = numbers.size();
  }
};

struct Memory {
  bool is_known = false;
  coal::Vec3s guess;
  coal::support_func_guess_t support;
};

template <class Request>
void recall(Request& request, const Memory& memory) {
  if (!memory.is_known) {
    request.gjk_initial_guess = coal::GJKInitialGuess::DefaultGuess;
    return;
  }
  request.gjk_initial_guess = coal::GJKInitialGuess::CachedGuess;
  request.cached_gjk_guess = memory.guess;
  request.cached_support_func_guess = memory.support;
}

template <class Result>
void keep(Memory& memory, const Result& result) {
  memory = {true, result.cached_gjk_guess, result.cached_support_func_guess};
}

enum class Question { Intersects, SignedDistance };

/// One method on all frames: nanoseconds a pair. `hits` counts the pairs said to intersect.
double run(const Work& work, Question question, bool is_coherent, size_t& hits) {
  std::vector<Memory> memories(work.pair_count);
  coal::CollisionRequest overlap(coal::NO_REQUEST, 1);
  overlap.distance_upper_bound = 1e-6;  // stop once a separating axis is found
  coal::DistanceRequest signed_distance(true, true);
  coal::CollisionResult collided;
  coal::DistanceResult measured;
  hits = 0;
  double seconds = 0;
  for (size_t frame = 0; frame < work.poses.size(); ++frame) {
    const auto& poses = work.poses[frame];
    const auto start = std::chrono::steady_clock::now();
    for (const Candidate& pair : work.candidates[frame]) {
      const auto* a = work.shapes[work.shape_of[pair.a]].get();
      const auto* b = work.shapes[work.shape_of[pair.b]].get();
      Memory& memory = memories[pair.pair];
      if (question == Question::Intersects) {
        recall(overlap, is_coherent ? memory : Memory());
        collided.clear();
        coal::collide(a, poses[pair.a], b, poses[pair.b], overlap, collided);
        hits += collided.isCollision();
        if (is_coherent) keep(memory, collided);
      } else {
        recall(signed_distance, is_coherent ? memory : Memory());
        measured.clear();
        hits += coal::distance(a, poses[pair.a], b, poses[pair.b], signed_distance, measured) <= 0;
        if (is_coherent) keep(memory, measured);
      }
    }
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return seconds * 1e9 / static_cast<double>(std::max<size_t>(work.candidate_count, 1));
}

}  // namespace

int main(int argc, char** argv) try {
  const int repeat = argc > 1 ? std::atoi(argv[1]) : 0;
  if (repeat < 1 || argc < 3) {
    std::fprintf(stderr, "usage: coal REPEAT TRACE...\n");
    return 2;
  }
  for (int argument = 2; argument < argc; ++argument) {
    const Work work(argv[argument]);
    for (const Question question : {Question::Intersects, Question::SignedDistance}) {
      for (const bool is_coherent : {true, false}) {
        double fastest = std::numeric_limits<double>::infinity();
        size_t hits = 0;
        for (int k = 0; k < repeat; ++k) fastest = std::min(fastest, run(work, question, is_coherent, hits));
        // Answers are not compared here; the number of hits stands in the place of the compared answers.
        std::printf("%s,coal,%s,%s,%zu,%.1f,hits %zu,,,,,,\n", work.name.c_str(),
                    question == Question::Intersects ? "Intersects" : "SignedDistance",
                    is_coherent ? "true" : "false", work.candidate_count, fastest, hits);
      }
    }
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
