// `npm run demo [-- --no-isolation] [--port=4173]`: builds and serves the pages, and builds the package if it is missing or
// older than its sources.
import { usePackages } from '../../cpp/toolchain/use.mjs';
import { ensurePackage } from '../ensure_package.mjs';
import { buildPage, servePage } from './build.mjs';

const isolated = !process.argv.includes('--no-isolation');
const port = Number(process.argv.find((argument) => argument.startsWith('--port='))?.slice('--port='.length) ?? 4173);

usePackages();
ensurePackage({ debug: true });
await buildPage();
const { url } = await servePage({ isolated, port });
console.log(`${url}   Ctrl+C ends it`);
