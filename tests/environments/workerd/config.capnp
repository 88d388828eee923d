using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .program)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const program :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "built/worker.js"),
    (name = "tenure.wasm", wasm = embed "built/tenure.wasm"),
  ],
  compatibilityDate = "2026-10-01",
);
