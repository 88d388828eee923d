import { getPartUrls } from '../generated/part_urls.js';
import { load } from '../runtime/loader.js';
import { setWorkerScript } from '../runtime/threads.js';
import { startInlined } from './start_inlined.js';

/** Loads the engine, whose parts are files that are fetched in the background or when they are needed. */
export function startWithFiles(): void {
  setWorkerScript(new URL('tenure.worker.js', import.meta.url).href);
  startInlined(getPartUrls());
  // A failure is thrown by the first op that needs the part, and by ready().
  load().catch(() => {});
}
