import assert from 'node:assert/strict';
import test from 'node:test';
import { program } from './program.mjs';
test('it runs', async () => assert.equal(await program(), '10 0'));
