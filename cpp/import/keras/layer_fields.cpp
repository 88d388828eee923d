#include "import/keras/layer_fields.h"

namespace tenure::keras {
namespace {

struct Row {
  std::string_view class_name;
  std::string_view defaults;
};

#define FIELD(name, ...) __VA_OPT__(#name "=" #__VA_ARGS__ " ")
#define INT(...) FIELD(__VA_ARGS__)
#define NUMBER(...) FIELD(__VA_ARGS__)
#define FLAG(...) FIELD(__VA_ARGS__)
#define TEXT(...) FIELD(__VA_ARGS__)
#define LIST(...) FIELD(__VA_ARGS__)
#define ANY(...) FIELD(__VA_ARGS__)
#define PADDING(...) FIELD(__VA_ARGS__)
#define DATA_FORMAT(...) FIELD(__VA_ARGS__)
#define INTERPOLATION(...) FIELD(__VA_ARGS__)
#define ACTIVATION(...) FIELD(__VA_ARGS__)
#define KERAS_ONLY(...) FIELD(__VA_ARGS__)
#define SIZES(name, rank, ...) FIELD(name __VA_OPT__(, ) __VA_ARGS__)
// These need no defaults: weights are initialized by the caller, and nested layers have separate configs.
#define OMIT_DEFAULT(...)
#define INPUT(...)
#define INITIALIZER(...)
#define REGULARIZER(...)
#define CONSTRAINT(...)
#define NESTED(...)
#define ALIAS(...)
#define LAYER(name, factory, ...) {#name, "" __VA_ARGS__},
constexpr Row kRows[] = {
#include "lists/layers.def"
};

}  // namespace

std::string_view get_defaults(std::string_view class_name) {
  for (const Row& row : kRows) {
    if (row.class_name == class_name) return row.defaults;
  }
  return {};
}

std::string_view find_default(std::string_view defaults, std::string_view field) {
  while (!defaults.empty()) {
    const std::string_view entry = defaults.substr(0, defaults.find(' '));
    defaults.remove_prefix(entry.size() + 1);
    const std::size_t equals = entry.find('=');
    if (entry.substr(0, equals) != field) continue;
    const std::string_view initial = entry.substr(equals + 1);
    return initial == "none" ? std::string_view() : initial;
  }
  return {};
}

}  // namespace tenure::keras
