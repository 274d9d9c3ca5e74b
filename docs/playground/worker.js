
// The code above is the module of WebAssembly. This one answers the page: one message in, one message out.
self.onmessage = ({ data }) => {
  try {
    if (data.module !== undefined) {
      initSync({ module: data.module });
      self.postMessage({ id: data.id, rules: ruleNames() });
      return;
    }
    const guard = new NativeGuard(data.options);
    const outputs = data.page ? ["html", "json"] : ["json"];
    const texts = guard.scanBytes(data.name, new Uint8Array(data.bytes), outputs, false, data.now);
    guard.free();
    self.postMessage({ id: data.id, texts });
  } catch (error) {
    const isFault = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
    self.postMessage({ id: data.id, error: String(error?.message ?? error), isFault });
  }
};
