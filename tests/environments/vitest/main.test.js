import { expect, test } from 'vitest';
import { program } from './program.mjs';
test('it runs', async () => expect(await program()).toBe('10 0'));
