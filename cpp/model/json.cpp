#include "model/json.h"

#include <rapidjson/encodedstream.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <cmath>

#include "core/error.h"

namespace tenure {

/// Takes the parser's events. RapidJSON's own tree is never built: this one is smaller, and its depth is
/// bounded.
class JsonBuilder {
 public:
  explicit JsonBuilder(std::string_view what) : what_(what) {}
  Json take() { return std::move(root_); }

  bool Null() {
    place(Json::Kind::kNull);
    return true;
  }
  bool Bool(bool value) {
    place(Json::Kind::kBool).number_ = value ? 1 : 0;
    return true;
  }
  bool Int(int value) { return number(value); }
  bool Uint(unsigned value) { return number(value); }
  bool Int64(std::int64_t value) { return number(static_cast<double>(value)); }
  bool Uint64(std::uint64_t value) { return number(static_cast<double>(value)); }
  bool Double(double value) { return number(value); }
  bool RawNumber(const char*, std::size_t, bool) { return false; }
  bool String(const char* text, std::size_t length, bool) {
    place(Json::Kind::kString).string_.assign(text, length);
    return true;
  }
  bool StartObject() { return open(Json::Kind::kObject); }
  bool StartArray() { return open(Json::Kind::kArray); }
  bool Key(const char* text, std::size_t length, bool) {
    open_.back()->keys_.emplace_back(text, length);
    return true;
  }
  bool EndObject(std::size_t) { return close(); }
  bool EndArray(std::size_t) { return close(); }

 private:
  bool number(double value) {
    place(Json::Kind::kNumber).number_ = value;
    return true;
  }
  // A container on the stack is the last child of the one below it, so growth never moves it while it is
  // open.
  Json& place(Json::Kind kind) {
    Json& json = open_.empty() ? root_ : open_.back()->items_.emplace_back();
    json.kind_ = kind;
    return json;
  }
  bool open(Json::Kind kind) {
    check(open_.size() < Json::kMaxDepth, what_, " is nested more than ", Json::kMaxDepth, " levels deep");
    open_.push_back(&place(kind));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::string_view what_;
  Json root_;
  std::vector<Json*> open_;
};

Json Json::parse(std::string_view text, std::string_view what) {
  JsonBuilder builder(what);
  rapidjson::MemoryStream bytes(text.data(), text.size());
  rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> stream(bytes);
  rapidjson::Reader reader;
  constexpr unsigned kFlags = rapidjson::kParseFullPrecisionFlag | rapidjson::kParseValidateEncodingFlag;
  const rapidjson::ParseResult result = reader.Parse<kFlags>(stream, builder);
  check(!result.IsError(), what, " is not valid JSON: error at byte ", result.Offset() + 1);
  return builder.take();
}

const Json* Json::find(std::string_view key) const {
  // As in JavaScript, the last of several equal keys counts.
  for (std::size_t i = keys_.size(); i-- > 0;) {
    if (keys_[i] == key) return items_[i].is_null() ? nullptr : &items_[i];
  }
  return nullptr;
}

bool Json::is_int() const {
  return is_number() && number_ == std::floor(number_) && number_ >= -2147483648.0 && number_ < 2147483648.0;
}

void append(std::string& text, const Json& json) {
  switch (json.kind()) {
    case Json::Kind::kNull: text += "null"; break;
    case Json::Kind::kBool: append(text, json.boolean()); break;
    case Json::Kind::kNumber: append(text, json.number()); break;
    case Json::Kind::kString: text += '"' + json.string().substr(0, 100) + '"'; break;
    case Json::Kind::kArray: text += "an array"; break;
    case Json::Kind::kObject: text += "an object"; break;
  }
}

}  // namespace tenure
