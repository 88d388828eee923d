#include "import/onnx/rare_rows/text/regex.h"

#include <algorithm>

#include "core/error.h"
#include "import/onnx/rare_rows/text/regex_parser.h"

namespace tenure::onnx {
namespace {

using Instruction = Regex::Instruction;

constexpr std::size_t kMaxInstructions = 3000;
/// A code point that is before the text and behind it.
constexpr std::uint32_t kOutside = UINT32_MAX;

class Compiler {
 public:
  explicit Compiler(std::vector<Instruction>& program) : program_(program) {}

  void compile(const RegexNode& node) {
    // Repeats of nothing take time, too.
    check(++steps_ <= kMaxInstructions && program_.size() <= kMaxInstructions, "the pattern takes more than ",
          kMaxInstructions, " instructions");
    switch (node.kind) {
      case RegexNode::kEmpty: break;
      case RegexNode::kRead: add({Instruction::kRead, next(), 0, &node.ranges}); break;
      case RegexNode::kAssertion: add({node.assertion, next()}); break;
      case RegexNode::kSequence:
        for (const auto& part : node.parts) compile(*part);
        break;
      case RegexNode::kAlternatives: compile_alternatives(node); break;
      case RegexNode::kRepeat: compile_repeat(node); break;
    }
  }
  void finish() { add({Instruction::kMatch}); }

 private:
  std::uint32_t here() const { return static_cast<std::uint32_t>(program_.size()); }
  std::uint32_t next() const { return here() + 1; }
  void add(const Instruction& instruction) { program_.push_back(instruction); }

  void compile_alternatives(const RegexNode& node) {
    std::vector<std::size_t> jumps;
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      const bool is_last = i + 1 == node.parts.size();
      const std::size_t split = here();
      if (!is_last) add({Instruction::kSplit, next()});
      compile(*node.parts[i]);
      if (is_last) break;
      jumps.push_back(here());
      add({Instruction::kJump});
      program_[split].other = here();
    }
    for (const std::size_t jump : jumps) program_[jump].next = here();
  }

  void compile_repeat(const RegexNode& node) {
    for (int i = 0; i < node.min; ++i) compile(*node.parts[0]);
    if (node.max == RegexNode::kUnbounded) {
      const std::uint32_t split = here();
      add({Instruction::kSplit, next()});
      compile(*node.parts[0]);
      add({Instruction::kJump, split});
      program_[split].other = here();
      return;
    }
    std::vector<std::size_t> splits;
    for (int i = node.min; i < node.max; ++i) {
      splits.push_back(here());
      add({Instruction::kSplit, next()});
      compile(*node.parts[0]);
    }
    for (const std::size_t split : splits) program_[split].other = here();
  }

  std::vector<Instruction>& program_;
  std::size_t steps_ = 0;
};

bool contains(const std::vector<Regex::Range>& ranges, std::uint32_t c) {
  const auto at = std::partition_point(ranges.begin(), ranges.end(),
                                       [&](const Regex::Range& range) { return range.last < c; });
  return at != ranges.end() && at->first <= c;
}

/// True if an assertion holds between two code points.
bool holds(Instruction::Kind kind, std::uint32_t before, std::uint32_t after) {
  switch (kind) {
    case Instruction::kTextBegin: return before == kOutside;
    case Instruction::kTextEnd: return after == kOutside;
    case Instruction::kLineBegin: return before == kOutside || before == '\n';
    case Instruction::kLineEnd: return after == kOutside || after == '\n';
    case Instruction::kBoundary: return is_word(before) != is_word(after);
    case Instruction::kNoBoundary: return is_word(before) == is_word(after);
    default: return true;
  }
}

}  // namespace

/// The instructions that a text may have come to, each once.
class Regex::Threads {
 public:
  explicit Threads(const std::vector<Instruction>& program) : program_(program), seen_(program.size(), 0) {}

  /// Adds an instruction between two code points, and those that follow from it without a read.
  void add(std::uint32_t first, std::uint32_t before, std::uint32_t after) {
    open_.push_back(first);
    while (!open_.empty()) {
      const std::uint32_t at = open_.back();
      open_.pop_back();
      if (seen_[at] == round_) continue;
      seen_[at] = round_;
      const Instruction& instruction = program_[at];
      if (instruction.kind == Instruction::kRead) {
        reads_.push_back(at);
      } else if (instruction.kind == Instruction::kMatch) {
        has_match_ = true;
      } else if (holds(instruction.kind, before, after)) {
        open_.push_back(instruction.next);
        if (instruction.kind == Instruction::kSplit) open_.push_back(instruction.other);
      }
    }
  }
  void clear() {
    ++round_;
    reads_.clear();
    has_match_ = false;
  }
  const std::vector<std::uint32_t>& reads() const { return reads_; }
  bool has_match() const { return has_match_; }

 private:
  const std::vector<Instruction>& program_;
  std::vector<std::size_t> seen_;
  std::size_t round_ = 1;
  std::vector<std::uint32_t> open_;
  std::vector<std::uint32_t> reads_;
  bool has_match_ = false;
};

Regex::Regex(std::string_view pattern) : tree_(parse_regex(pattern)) {
  Compiler compiler(program_);
  compiler.compile(*tree_);
  compiler.finish();
}

Regex::~Regex() = default;

bool Regex::matches(std::string_view text) const {
  const auto peek = [](std::string_view rest) { return rest.empty() ? kOutside : take_code_point(rest); };
  Threads lists[] = {Threads(program_), Threads(program_)};
  Threads* now = &lists[0];
  Threads* next = &lists[1];
  now->add(0, kOutside, peek(text));
  while (!text.empty() && !now->reads().empty()) {
    const std::uint32_t c = take_code_point(text);
    const std::uint32_t after = peek(text);
    next->clear();
    for (const std::uint32_t at : now->reads()) {
      if (contains(*program_[at].ranges, c)) next->add(program_[at].next, c, after);
    }
    std::swap(now, next);
  }
  return text.empty() && now->has_match();
}

}  // namespace tenure::onnx
