export * from '../../dist/no_await.js';
import { ready } from '../../dist/no_await.js';

await ready();
