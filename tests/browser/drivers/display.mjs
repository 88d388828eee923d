import { spawn } from 'node:child_process';

/** Starts an X server without a screen, on a display number that it chooses. Returns its name as for DISPLAY, and `close`. */
export async function openDisplay() {
  const args = ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp', '-noreset'];
  const server = spawn(process.env.XVFB, args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  process.on('exit', () => server.kill());
  let complaints = '';
  server.stderr.on('data', (text) => (complaints += text));
  const number = await new Promise((resolve, reject) => {
    server.on('error', reject);
    server.on('exit', (code) => reject(new Error(`Xvfb ended with ${code}: ${complaints}`)));
    server.stdio[3].once('data', (text) => resolve(String(text).trim()));
  });
  return { name: `:${number}`, close: () => server.kill() };
}
