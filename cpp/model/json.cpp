#include "model/json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace tenure {

/// Takes the parser's events. nlohmann's own tree is never built: this one is smaller, and its depth is
/// bounded.
class JsonBuilder {
 public:
  using Parser = nlohmann::json;

  explicit JsonBuilder(std::string_view what) : what_(what) {}
  Json take() { return std::move(root_); }

  bool null() {
    place(Json::Kind::kNull);
    return true;
  }
  bool boolean(bool value) {
    place(Json::Kind::kBool).number_ = value ? 1 : 0;
    return true;
  }
  bool number_integer(Parser::number_integer_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(Parser::number_unsigned_t value) { return number(static_cast<double>(value)); }
  bool number_float(Parser::number_float_t value, const std::string&) { return number(value); }
  bool string(std::string& value) {
    place(Json::Kind::kString).string_ = std::move(value);
    return true;
  }
  bool binary(Parser::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::Kind::kObject); }
  bool start_array(std::size_t) { return open(Json::Kind::kArray); }
  bool key(std::string& key) {
    open_.back()->keys_.push_back(std::move(key));
    return true;
  }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t position, const std::string&, const Parser::exception&) {
    fail(what_, " is not valid JSON: error at byte ", position);
  }

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
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
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
