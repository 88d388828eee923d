import { usePackages, useTestPackages } from '../../cpp/toolchain/use.mjs';

/** Installs the peers if they are missing or older than their lock file. */
export function preparePeers() {
  usePackages();
  useTestPackages('tests/bench');
}
