#include <algorithm>
#include <iterator>

#include "core/error.h"
#include "import/keras/families.h"
#include "import/keras/network.h"

namespace tenure::keras {
namespace {

MakeLayer find_maker(std::string_view class_name) {
  for (const auto family : {core_layers, shape_layers, conv_layers, pool_layers, image_layers, norm_layers,
                            noise_layers, activation_layers, merge_layers, recurrent_layers, cell_layers,
                            conv3d_layers, preprocessing_layers, wrapper_layers}) {
    for (const LayerRow& row : family()) {
      if (row.class_name == class_name) return row.make;
    }
  }
  return nullptr;
}

/// Classes of TensorFlow.js layers that are not supported.
constexpr std::string_view kMissing[] = {
    "EinsumDense",
    "MultiHeadAttention",
    "BytePairTokenizer",
    "RandomHeight",
};

std::string describe(const Json& json, const Json* config) {
  const Json* name = config ? config->find("name") : nullptr;
  if (!name) name = json.find("name");
  return text("layer \"", name && name->is_string() ? name->string() : "", "\"");
}

}  // namespace

LayerPtr make_layer(const Json& json) {
  const Json* config_json = json.find("config");
  const std::string owner = describe(json, config_json);
  const std::string& class_name = Config(json, owner).string("class_name");
  if (is_network(class_name)) return std::make_unique<Network>(json);
  const MakeLayer make = find_maker(class_name);
  check(std::find(std::begin(kMissing), std::end(kMissing), class_name) == std::end(kMissing), owner,
        ": layers of the class ", class_name, " are not supported");
  if (!make) {
    fail("Unknown layer: ", class_name, ". This may be due to one of the following reasons:\n",
         "1. The layer is defined in Python, in which case it needs to be ported to TensorFlow.js or your "
         "JavaScript "
         "code.\n2. The custom layer is defined in JavaScript, but is not registered properly with "
         "tf.serialization.registerClass(). (",
         owner, ")");
  }
  static const Json kEmpty;
  return make(class_name, Config(config_json ? *config_json : kEmpty, owner, get_defaults(class_name)));
}

}  // namespace tenure::keras
