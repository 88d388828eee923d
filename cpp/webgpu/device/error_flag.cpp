#include "webgpu/device/error_flag.h"

#include <utility>

#include "core/error.h"

namespace tenure::webgpu {
namespace {

constexpr std::size_t kWord = sizeof(std::uint32_t);

void throw_message(const ErrorMessages& messages, std::uint32_t number) {
  for (const auto& [message, own] : messages) {
    if (own == number) fail(message);
  }
}

}  // namespace

ErrorCheck::ErrorCheck(std::shared_ptr<BufferPool> buffers, platform::ObjectHandle flag,
                       ErrorMessages messages)
    : buffers_(std::move(buffers)),
      read_(platform::start_read(flag, kWord)),
      messages_(std::move(messages)) {}

ErrorCheck::~ErrorCheck() {
  if (read_ && !buffers_->abandoned()) platform::end_read(read_);
}

bool ErrorCheck::is_ready() const {
  return !read_ || buffers_->abandoned() || platform::read_state(read_) != platform::ReadState::kPending;
}

bool ErrorCheck::finish() {
  if (read_) {
    if (buffers_->abandoned() || platform::read_state(read_) != platform::ReadState::kReady ||
        !platform::finish_read(read_, &number_))
      return false;
    platform::end_read(std::exchange(read_, 0));
  }
  throw_message(messages_, number_);
  return true;
}

ErrorFlag::ErrorFlag(std::shared_ptr<BufferPool> buffers)
    : buffers_(std::move(buffers)), buffer_(platform::create_buffer(kBytes, platform::BufferUse::kStorage)) {}

int ErrorFlag::add_message(std::string_view message) {
  auto found = messages_.find(message);
  if (found == messages_.end())
    found = messages_.emplace(message, static_cast<std::uint32_t>(messages_.size() + 1)).first;
  return static_cast<int>(found->second);
}

void ErrorFlag::clear() {
  constexpr std::uint32_t kNone = 0;
  platform::write_buffer(buffer_, 0, &kNone, kWord);
}

std::shared_ptr<ErrorCheck> ErrorFlag::start_check() {
  if (!messages_.empty()) {
    check_ = std::make_shared<ErrorCheck>(buffers_, buffer_, std::exchange(messages_, {}));
    clear();
  } else if (check_ && check_->is_finished()) {
    check_.reset();
  }
  return check_;
}

void ErrorFlag::check_now() {
  if (check_ && check_->is_ready() && !check_->is_finished()) check_->finish();
  std::uint32_t number = 0;
  // A word that cannot be read now is left to the next read.
  if (messages_.empty() || platform::read_now(buffer_, &number, kWord) != platform::SyncRead::kDone) return;
  clear();
  throw_message(std::exchange(messages_, {}), number);
}

void ErrorFlag::reset() {
  messages_.clear();
  check_.reset();
}

}  // namespace tenure::webgpu
