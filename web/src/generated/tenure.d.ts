// Generated from the C++ bindings by web/build.mjs. Do not edit.
declare namespace RuntimeExports {
    let HEAPU8: Uint8Array;
    let HEAP32: Int32Array;
    let HEAPU32: Uint32Array;
    let HEAPF32: Float32Array;
    /**
     * Given a pointer 'ptr' to a null-terminated UTF8-encoded string in the
     * emscripten HEAP, returns a copy of that string as a Javascript String object.
     *
     * @param {number} ptr
     * @param {number=} maxBytesToRead - An optional length that specifies the
     *   maximum number of bytes to read. You can omit this parameter to scan the
     *   string until the first 0 byte. If maxBytesToRead is passed, and the string
     *   at [ptr, ptr+maxBytesToReadr[ contains a null byte in the middle, then the
     *   string will cut short at that byte index (i.e. maxBytesToRead will not
     *   produce a string of exact length [ptr, ptr+maxBytesToRead[) N.B. mixing
     *   frequent uses of UTF8ToString() with and without maxBytesToRead may throw
     *   JS JIT optimizations off, so it is worth to consider consistently using one
     * @return {string}
     */
    function UTF8ToString(ptr: number, maxBytesToRead?: number | undefined): string;
    namespace GL {
        let counter: number;
        let buffers: any[];
        let programs: any[];
        let framebuffers: any[];
        let renderbuffers: any[];
        let textures: any[];
        let shaders: any[];
        let vaos: any[];
        let contexts: any[];
        let offscreenCanvases: {};
        let queries: any[];
        let samplers: any[];
        let transformFeedbacks: any[];
        let syncs: any[];
        let stringCache: {};
        let stringiCache: {};
        let unpackAlignment: number;
        let unpackRowLength: number;
        function recordError(errorCode: any): void;
        function getNewId(table: any): number;
        function genObject(n: any, buffers: any, createFunction: any, objectTable: any): void;
        function getSource(shader: any, count: any, string: any, length: any): string;
        function createContext(canvas: HTMLCanvasElement, webGLContextAttributes: any): any;
        function registerContext(ctx: any, webGLContextAttributes: any): any;
        function makeContextCurrent(contextHandle: any): boolean;
        function getContext(contextHandle: any): any;
        function deleteContext(contextHandle: any): void;
    }
    function stackRestore(val: any): any;
}
interface WasmModule {
  _tn_was_cut(): number;
  _tn_stack_base(): number;
  _tn_begin_callback(): void;
  _tn_forget_callbacks(): number;
  _tn_start_read(_0: number): number;
  _tn_poll_read(_0: number): number;
  _tn_finish_read(_0: number): number;
  _tn_end_read(_0: number): void;
  _tn_on_device(_0: number): number;
  _tn_open_tape(_0: number): number;
  _tn_close_tape(_0: number): number;
  _tn_is_recorded(_0: number, _1: number): number;
  _tn_walk_back(_0: number, _1: number, _2: number): number;
  _tn_supply(_0: number, _1: number): number;
  _tn_gradient(_0: number, _1: number): number;
  _tn_drop_tape(_0: number): void;
  _tn_pause_tapes(): number;
  _tn_resume_tapes(_0: number): void;
  _tn_record_custom(_0: number, _1: number, _2: number): number;
  _tn_graph_load(_0: number, _1: number, _2: number, _3: number, _4: number, _5: number): number;
  _tn_graph_initialize(_0: number, _1: number, _2: number, _3: number): number;
  _tn_graph_describe(_0: number): number;
  _tn_graph_compile(_0: number, _1: number, _2: number): number;
  _tn_graph_prelink(_0: number, _1: number): number;
  _tn_graph_run(_0: number, _1: number, _2: number, _3: number): number;
  _tn_graph_run_containers(_0: number, _1: number, _2: number, _3: number, _4: number): number;
  _tn_graph_counts(_0: number): number;
  _tn_graph_waiting(_0: number, _1: number): number;
  _tn_graph_waiting_inputs(_0: number, _1: number): number;
  _tn_graph_supply(_0: number, _1: number, _2: number): number;
  _tn_graph_kept(_0: number): number;
  _tn_graph_take_kept(_0: number): number;
  _tn_graph_drop(_0: number, _1: number): void;
  _tn_graph_dispose(_0: number): void;
  _tn_make_layer(_0: number, _1: number): number;
  _tn_make_network(_0: number, _1: number): number;
  _tn_read_network(_0: number, _1: number, _2: number, _3: number, _4: number, _5: number): number;
  _tn_drop_layer(_0: number): void;
  _tn_describe_network(_0: number): number;
  _tn_declare_layer(_0: number, _1: number): number;
  _tn_layer_weights(_0: number): number;
  _tn_set_weight(_0: number, _1: number, _2: number): number;
  _tn_set_trainable(_0: number, _1: number): number;
  _tn_set_states(_0: number, _1: number): number;
  _tn_layer_states(_0: number): number;
  _tn_call_layer(_0: number, _1: number, _2: number): number;
  _tn_onnx_requirements(_0: number, _1: number): number;
  _tn_onnx_load(_0: number, _1: number, _2: number, _3: number): number;
  _tn_pixels(_0: number, _1: number, _2: number, _3: number): number;
  _tn_start_picture(_0: number, _1: number): number;
  _tn_end_picture(_0: number): number;
  _tn_draw(_0: number): number;
  _tn_profile(_0: number): void;
  _tn_profile_take(): number;
  _tn_use_relaxed_kernels(): void;
  _tn_open_scope(): number;
  _tn_last_scope(): number;
  _tn_make_scope(_0: number, _1: number): number;
  _tn_put_in_pipeline(_0: number): number;
  _tn_enter_scope(_0: number): number;
  _tn_leave_scope(_0: number): void;
  _tn_set_current_scope(_0: number): void;
  _tn_lasting_scope(): number;
  _tn_hand_to_parent(_0: number, _1: number): number;
  _tn_pass_out(_0: number, _1: number): number;
  _tn_attach(_0: number, _1: number): number;
  _tn_borrow(_0: number, _1: number): number;
  _tn_cap_scope(_0: number): number;
  _tn_owns(_0: number, _1: number): number;
  _tn_close_scope(_0: number): void;
  _tn_end_scope(_0: number): void;
  _tn_current_scope(): number;
  _tn_scope_is_open(_0: number): number;
  _tn_scope_totals(_0: number): number;
  _tn_dump_scope(_0: number): number;
  _tn_list(_0: number, _1: number): number;
  _tn_watch_births(_0: number): void;
  _tn_take_birth(): number;
  _tn_tflite_load(_0: number, _1: number, _2: number, _3: number, _4: number, _5: number): number;
  _tn_notify_large_ops(_0: number): void;
  _tn_look_after_workers(): void;
  _tn_worker_stack(_0: number): number;
  _tn_run_worker(_0: number, _1: number): void;
  _tn_fail_worker(_0: number): void;
  _tn_worker_generation(): number;
  _tn_workers_ready(): number;
  _tn_worker_is_at_work(_0: number): number;
  _tn_worker_takes_part(_0: number): number;
  _tn_release_workers(): void;
  _tn_stop_workers(): number;
  _tn_update(_0: number, _1: number): number;
  _tn_recover(): number;
  _tn_start_webgpu(): number;
  _tn_submit_webgpu(): number;
  _tn_share_buffer(_0: number): number;
  _tn_adopt_buffer(_0: number, _1: number, _2: number, _3: number, _4: number, _5: number): number;
  _tn_scratch(): number;
  _tn_scratch_words(): number;
  _tn_error_code(): number;
  _tn_error_message(): number;
  _tn_unary(_0: number, _1: number, _2: number): number;
  _tn_binary(_0: number, _1: number, _2: number): number;
  _tn_op(_0: number, _1: number, _2: number): number;
  _tn_create(_0: number, _1: number): number;
  _tn_create_strings(_0: number, _1: number): number;
  _tn_data(_0: number): number;
  _tn_alive(_0: number): number;
  _tn_dispose(_0: number): number;
  _tn_keep(_0: number): void;
  _tn_hold(_0: number): void;
  _tn_reserve(_0: number): number;
  _tn_adopt(_0: number, _1: number): number;
  _tn_assign(_0: number, _1: number): number;
  _tn_set_budget(_0: number): void;
  _tn_trim(): void;
  _tn_min_lazy_elements(_0: number): number;
  _tn_fail(_0: number, _1: number): void;
  _tn_allocate(_0: number): number;
  _tn_deallocate(_0: number, _1: number): void;
  _tn_ledger_listen(_0: number): void;
  _tn_ledger_words(): number;
  _tn_ledger_take(): number;
  _tn_count_not_finite(_0: number): number;
}

type EmbindString = ArrayBuffer|Uint8Array|Uint8ClampedArray|Int8Array|string;
export interface LayersModel {
  predict(inputs: number | number[]): number[];
  predictInScratch(count: number): number;
  prepare(): number;
  prelink(): number;
  compile(_0: number, _1: number): number;
  step(_0: number, _1: number, _2: number, _3: number, _4: number): number;
  bytes(): number;
  delete(): void;
}

export type MemoryInfo = {
  numTensors: number,
  numDataBuffers: number,
  numBytes: number,
  heapUsed: number,
  tensorBytes: number,
  views: number,
  pipelines: number,
  pinned: number,
  tape: number,
  weights: number,
  scratch: number,
  cpuPool: number,
  gpuPool: number,
  gpuTextures: number,
  peakBytes: number,
  scopes: number
};

interface EmbindModule {
  LayersModel: {
    load(json: string, weights: ArrayBuffer | ArrayBufferView): LayersModel;
    of(_0: number): LayersModel | null;
  };
  tidy(body: () => number | number[] | void): number | number[] | void;
  glStop(): void;
  glLose(): void;
  glPreferHalf(_0: boolean): void;
  glInit(_0: number): boolean;
  setMinElementsForDevice(_0: number): void;
  minElementsForDevice(): number;
  memory(): MemoryInfo;
  tensor(values: Float32Array | Int32Array | Uint8Array, shape: number[]): number;
  read(handle: number): { dtype: 'float32' | 'int32' | 'bool', shape: number[], values: Float32Array | Int32Array | Uint8Array };
  dispose(handle: number): boolean;
  setBackend(_0: EmbindString): boolean;
  webgpuLose(_0: EmbindString, _1: boolean): boolean;
}

export type MainModule = WasmModule & typeof RuntimeExports & EmbindModule;
export default function MainModuleFactory (options?: unknown): Promise<MainModule>;
