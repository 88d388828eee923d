#include <algorithm>
#include <cstdio>

#include "core/error.h"
#include "import/keras/model/layers_model.h"
#include "model/files/json.h"

namespace tenure {
namespace {

class File {
 public:
  explicit File(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "rb")) {
    check(file_ != nullptr, "cannot open ", path);
  }
  ~File() { std::fclose(file_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  /// Appends the rest of the file to `bytes`. Throws if it cannot be read.
  void read_into(std::string& bytes) {
    char buffer[1 << 16];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file_)) bytes.append(buffer, count);
    check(std::ferror(file_) == 0, "cannot read ", path_);
  }

 private:
  std::string path_;
  std::FILE* file_;
};

/// Throws unless the path of a shard lies in the model's folder or below it.
void check_shard_path(const std::string& path) {
  bool is_inside = !path.empty() && path.front() != '/' && path.find_first_of(":\\") == std::string::npos;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    is_inside &= path.compare(start, end - start, "..") != 0;
    start = end + 1;
  }
  check(is_inside, "the weights manifest names the file \"", path, "\", which is not in the model's folder");
}

std::string read_shards(const Json& model, const std::string& folder) {
  std::string bytes;
  const Json* manifest = model.find("weightsManifest");
  if (!manifest) return bytes;
  for (const Json& group : manifest->items()) {
    const Json* paths = group.find("paths");
    check(paths && paths->is_array(), "the weights manifest has a group without paths");
    for (const Json& path : paths->items()) {
      check(path.is_string(), "the weights manifest has a path that is not a string");
      check_shard_path(path.string());
      File(folder + path.string()).read_into(bytes);
    }
  }
  return bytes;
}

}  // namespace

LayersModel load_layers_model_file(const std::string& path) {
  std::string json;
  File(path).read_into(json);
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  const std::string weights = read_shards(Json::parse(json, path), folder);
  return LayersModel::load(json, "", std::as_bytes(std::span(weights)));
}

}  // namespace tenure
