// Formats the sources, or checks that they are formatted: `node tests/format.mjs [--check]`. C++ by clang-format,
// TypeScript and JavaScript by Prettier.
import { findFiles, run, useToolchain } from '../cpp/toolchain/use.mjs';

const isCheck = process.argv.includes('--check');
const kCppFolders = ['cpp', 'tests/cpp', 'tests/fuzz', 'tests/bench/gpu'];

useToolchain('native');
const files = kCppFolders.flatMap((folder) => findFiles(folder, /\.(cpp|h)$/));
run(process.env.CLANG_FORMAT, [...(isCheck ? ['--dry-run', '-Werror'] : ['-i']), ...files], { quiet: true });
run('node', ['node_modules/prettier/bin/prettier.cjs', isCheck ? '--check' : '--write', '--log-level=warn', '.'], {
  quiet: true,
});
