// `npm run demo [-- --debug] [--no-isolation] [--port=4173]`: builds the page, and the package where it is missing or
// older than its sources, and serves it.
import { usePackages } from '../../cpp/toolchain/use.mjs';
import { ensurePackage } from '../ensure_package.mjs';
import { buildPage, servePage } from './build.mjs';

const debug = process.argv.includes('--debug');
const isolated = !process.argv.includes('--no-isolation');
const port = Number(process.argv.find((argument) => argument.startsWith('--port='))?.slice('--port='.length) ?? 4173);

usePackages();
ensurePackage({ debug });
await buildPage({ debug });
const { url } = await servePage({ debug, isolated, port });
console.log(`${url}   the ${debug ? 'debug' : 'release'} build; Ctrl+C ends it`);
