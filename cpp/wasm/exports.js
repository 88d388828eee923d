// The JavaScript side of Embind's exports: an Emscripten library, which becomes part of the module's script. What an
// export returns or throws besides numbers is stored in `boundary.value` until the engine's frames have returned: no
// exception unwinds them, and an interrupted call leaks no reference.
addToLibrary({
  // If `hasValue` or `hasError` is set, `value` is what the export returns or throws. Set by stores alone: after a
  // stack overflow, the engine has no room to create an object.
  $boundary: '{ hasValue: false, hasError: false, value: undefined, bytes: undefined, isWatching: false }',

  // Recovers from an interrupted call first. Returns or throws what `boundary` has.
  $guardExport__deps: ['$boundary', '$recoverFromCut', '$UTF8ToString'],
  // Wraps each function that Embind creates; where --emit-tsd runs the module to list its types, it creates none.
  $guardExport__postset: () =>
    LibraryManager.library.$craftInvokerFunction
      ? 'craftInvokerFunction = ((craft) => (...types) => guardExport(craft(...types)))(craftInvokerFunction);'
      : '',
  $guardExport: (call) =>
    function (...args) {
      boundary.hasValue = boundary.hasError = false;
      if (_tn_was_cut() && !recoverFromCut()) {
        throw Object.assign(new Error(UTF8ToString(_tn_error_message())), { name: 'InterruptedError' });
      }
      const returned = call.apply(this, args);
      if (!boundary.hasValue && !boundary.hasError) return returned;
      const { hasError, value } = boundary;
      boundary.hasValue = boundary.hasError = false;
      boundary.value = undefined;
      if (hasError) throw value;
      return value;
    },

  $recoverFromCut__deps: ['$stackRestore'],
  // Returns false if all calls are refused.
  $recoverFromCut: () => {
    if (!_tn_recover()) return false;
    stackRestore(_tn_stack_base());
    return true;
  },

  // A time limit that ends a body skips its `finally`. Once the turn is over, no body is running any more.
  $watchTurn__deps: ['$boundary', '$recoverFromCut'],
  $watchTurn: () => {
    if (boundary.isWatching) return;
    void Promise.resolve().then(() => {
      boundary.isWatching = false;
      const scope = _tn_forget_callbacks();
      if (scope === 0) return;
      if (recoverFromCut()) _tn_close_scope(scope);
    });
    boundary.isWatching = true;
  },

  $describeValue: (value) => {
    if (value === null || typeof value === 'undefined') return String(value);
    if (Array.isArray(value)) return 'an array';
    if (typeof value === 'object') return Object.prototype.toString.call(value).slice(8, -1);
    return typeof value === 'number' ? String(value) : `a ${typeof value}`;
  },

  // Writes handles into the scratch and returns their number. Throws if they are no handles.
  $writeHandles__deps: ['$describeValue'],
  $writeHandles: (handles, what) => {
    const list = Array.isArray(handles) ? Array.from(handles) : [handles];
    const room = _tn_scratch_words() / 2;
    if (list.length > room) throw new Error(`${what}: at most ${room} handles are allowed, got ${list.length}`);
    const wrong = list.findIndex((handle) => !(Number.isSafeInteger(handle) && handle > 0));
    if (wrong >= 0) {
      const where = Array.isArray(handles) ? ` in the array at ${wrong}` : '';
      throw new TypeError(`${what} must be a handle or an array of handles, got ${describeValue(list[wrong])}${where}`);
    }
    const at = _tn_scratch() >>> 2;
    list.forEach((handle, i) => {
      HEAP32[at + 2 * i] = handle;
      HEAP32[at + 2 * i + 1] = handle / 2 ** 32;
    });
    return list.length;
  },

  // Returns what `read` returns, or -1 if it throws.
  $catching__deps: ['$boundary'],
  $catching: (read) => {
    try {
      return read();
    } catch (error) {
      boundary.hasError = true;
      boundary.value = error;
      return -1;
    }
  },

  export_call__deps: ['$boundary', '$watchTurn', '$writeHandles', '$Emval', '_emval_decref'],
  export_call: (body) => {
    try {
      const fn = Emval.toValue(body);
      __emval_decref(body);
      if (typeof fn !== 'function') throw new TypeError(`[tidy] expected a function, got ${describeValue(fn)}`);
      watchTurn();
      _tn_begin_callback();
      const value = fn();
      if (typeof value?.then === 'function') {
        throw new TypeError('Cannot return a Promise inside of tidy: its scope ends before an async body goes on');
      }
      // If a call that the body caught was interrupted, the views may be older than the memory.
      if (_tn_was_cut()) updateMemoryViews();
      boundary.hasValue = true;
      boundary.value = value;
      return value === undefined || value === null ? 0 : writeHandles(value, '[tidy] what the body returns');
    } catch (error) {
      boundary.hasError = true;
      boundary.value = error;
      return -1;
    }
  },

  export_take_handles__deps: ['$catching', '$writeHandles', '$Emval'],
  export_take_handles: (handles, what) => catching(() => writeHandles(Emval.toValue(handles), UTF8ToString(what))),

  export_return_handles__deps: ['$boundary'],
  export_return_handles: (count) => {
    const at = _tn_scratch() >>> 2;
    boundary.value = Array.from({ length: count }, (_, i) => HEAP32[at + 2 * i + 1] * 2 ** 32 + HEAPU32[at + 2 * i]);
    boundary.hasValue = true;
  },

  export_take_extents__deps: ['$catching', '$describeValue', '$Emval'],
  export_take_extents: (extents) =>
    catching(() => {
      const shape = Emval.toValue(extents);
      const isExtent = (extent) => Number.isInteger(extent) && extent >= 0 && extent < 2 ** 31;
      if (!Array.isArray(shape) || !shape.every(isExtent) || shape.length > 64) {
        const got = Array.isArray(shape) ? `[${shape}]` : describeValue(shape);
        throw new TypeError(`[tensor] shape must be an array of integers, got ${got}`);
      }
      HEAP32.set(shape, _tn_scratch() >>> 2);
      return shape.length;
    }),

  export_take_bytes__deps: ['$boundary', '$catching', '$describeValue', '$Emval'],
  export_take_bytes: (source, what) =>
    catching(() => {
      const value = Emval.toValue(source);
      const isBuffer = /^(Shared)?ArrayBuffer$/.test(describeValue(value));
      if (typeof value === 'string') boundary.bytes = new TextEncoder().encode(value);
      else if (isBuffer) boundary.bytes = new Uint8Array(value);
      else if (ArrayBuffer.isView(value))
        boundary.bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
      else throw new TypeError(`${UTF8ToString(what)} must be text or bytes, got ${describeValue(value)}`);
      return boundary.bytes.length;
    }),

  export_copy_bytes__deps: ['$boundary'],
  export_copy_bytes: (to) => {
    HEAPU8.set(boundary.bytes, to >>> 0);
    boundary.bytes = undefined;
  },

  export_dtype__deps: ['$catching', '$describeValue', '$Emval'],
  export_dtype: (elements) =>
    catching(() => {
      const kind = describeValue(Emval.toValue(elements));
      const dtype = ['Float32Array', 'Int32Array', 'Uint8Array'].indexOf(kind);
      if (dtype < 0)
        throw new TypeError(`[tensor] values must be a Float32Array, an Int32Array or a Uint8Array, got ${kind}`);
      return dtype;
    }),

  export_return_tensor__deps: ['$boundary'],
  export_return_tensor: (elements, length) => {
    const at = (_tn_scratch() >>> 2) + 2;
    const dtype = HEAP32[at];
    const shape = Array.from(HEAP32.subarray(at + 2, at + 2 + HEAP32[at + 1]));
    const bytes = HEAPU8.slice(elements >>> 0, (elements >>> 0) + length);
    const values = dtype === 2 ? bytes : new [Float32Array, Int32Array][dtype](bytes.buffer);
    boundary.value = { dtype: ['float32', 'int32', 'bool'][dtype], shape, values };
    boundary.hasValue = true;
  },

  export_throw__deps: ['$boundary', '$guardExport'],
  export_throw: (name, message) => {
    const error = new Error(UTF8ToString(message));
    if (UTF8ToString(name) !== 'Error') error.name = UTF8ToString(name);
    boundary.value = error;
    boundary.hasError = true;
  },
});
