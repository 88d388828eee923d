import { existsSync, readFileSync } from 'node:fs';

/** Returns this process's peak memory in bytes. On Linux maxRSS starts at the parent's value when the process was started. */
export function getPeakMemory() {
  const status = '/proc/self/status';
  const [, kilobytes = process.resourceUsage().maxRSS] =
    (existsSync(status) && /VmHWM:\s*(\d+)/.exec(readFileSync(status, 'utf8'))) || [];
  return kilobytes * 1024;
}
