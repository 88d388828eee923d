/** An engine in a page of its own, with the interface of WorkerProcess (worker_process.mjs). */
export class PageWorker {
  #browser;
  #url;
  #page;

  constructor(name, browser, url, { backend, gpuOnly, threads }) {
    this.name = name;
    this.#browser = browser;
    this.#url = `${url}/index.html?${new URLSearchParams({ engine: name, backend, gpuOnly, threads })}`;
  }

  async start() {
    this.#page = await this.#browser.newPage();
    await this.#page.goto(this.#url, { waitUntil: 'commit' });
    await this.#page.waitForFunction(() => globalThis.ask, undefined, { timeout: 60_000 });
  }

  ask(question, argument) {
    return this.#page.evaluate(([what, about]) => globalThis.ask(what, about), [question, argument]);
  }

  async stop() {
    await this.#page?.close();
  }
}
