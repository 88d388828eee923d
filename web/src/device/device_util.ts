// tf.device_util
export { isBrowser } from './environment.js';

let mocked: boolean | undefined;

/**
 * Sets the result of isMobile() for tests; undefined restores detection.
 * @example
 * tf.device_util.mockIsMobile(true);
 * tf.device_util.isMobile(); // true
 * tf.device_util.mockIsMobile(undefined);
 */
export function mockIsMobile(value: boolean | undefined): void {
  mocked = value;
}

/** Fields of a navigator that tell the kind of device. */
interface Browser {
  /** User agent string. */
  userAgent?: string;
  /** Vendor of the browser; used instead of an empty user agent string. */
  vendor?: string;
  /** 'ReactNative' in React Native. */
  product?: string;
  /** User agent client hints; used if there is neither a user agent string nor a vendor. */
  userAgentData?: {
    /** True on a mobile device. */
    mobile?: boolean;
  };
}

/**
 * True on a phone or tablet, according to `nav`, by default the global navigator.
 * @example
 * tf.device_util.isMobile(); // false: in Node
 */
export function isMobile(nav?: Browser): boolean {
  if (mocked !== undefined) return mocked;
  const browser: Browser | undefined = nav ?? (typeof navigator === 'undefined' ? undefined : navigator);
  if (!browser) return false;
  if (browser.product === 'ReactNative') return true;
  const agent = browser.userAgent || browser.vendor;
  if (!agent) return Boolean(browser.userAgentData?.mobile);
  return /android|ip(hone|od)|blackberry|iemobile|kindle|opera m(ob|in)i|windows (ce|phone)|webos|symbian|palm|\bmobile\b/i.test(
    agent,
  );
}
