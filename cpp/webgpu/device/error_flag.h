#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "webgpu/device/buffer_pool.h"

namespace tenure::webgpu {

/// Messages and their numbers, from 1 on. Of the type of Context's pipelines, whose code it shares.
using ErrorMessages = std::map<std::string, std::uint32_t, std::less<>>;

/// An asynchronous read of an ErrorFlag.
class ErrorCheck {
 public:
  /// Starts to read the word in `flag`. `messages` are those of the dispatches before.
  ErrorCheck(std::shared_ptr<BufferPool> buffers, platform::ObjectHandle flag, ErrorMessages messages);
  ~ErrorCheck();
  ErrorCheck(const ErrorCheck&) = delete;
  ErrorCheck& operator=(const ErrorCheck&) = delete;
  /// True if finish() can be called.
  bool is_ready() const;
  /// True if finish() was called.
  bool is_finished() const { return !read_; }
  /// Throws Error with the message of the first error, also when it is called again. Returns false if the
  /// device was lost.
  bool finish();

 private:
  std::shared_ptr<BufferPool> buffers_;
  platform::ObjectHandle read_;
  std::uint32_t number_ = 0;
  ErrorMessages messages_;
};

/// A word on the device in which kernels report errors, as they cannot throw: the number of a message, or 0.
/// Reads of tensors read it, too, and throw the message. Each error is reported once: to the next read, and
/// to those that are started before it has the word.
class ErrorFlag {
 public:
  explicit ErrorFlag(std::shared_ptr<BufferPool> buffers);
  static constexpr std::size_t kBytes = 16;

  /// Returns the buffer of the word.
  platform::ObjectHandle buffer() const { return buffer_; }
  /// Returns the number of a message, above 0, which dispatches until the next check may write.
  int add_message(std::string_view message);
  /// Starts to read the word, and clears it. Returns null if no dispatch can have written to it. All commands
  /// must be submitted.
  std::shared_ptr<ErrorCheck> start_check();
  /// Reads the word, clears it, and throws Error with the message of an error. All commands must be
  /// submitted.
  void check_now();
  /// Forgets all messages and reads, when the device is lost.
  void reset();

 private:
  void clear();

  std::shared_ptr<BufferPool> buffers_;
  platform::ObjectHandle buffer_;
  /// Messages of the dispatches since the last check.
  ErrorMessages messages_;
  /// The last check, until it is finished.
  std::shared_ptr<ErrorCheck> check_;
};

}  // namespace tenure::webgpu
