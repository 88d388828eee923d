#include "model/files/json.h"

#include <cmath>

#include "core/text.h"

namespace tenure {

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
