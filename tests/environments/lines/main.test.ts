import { expect, test } from 'vitest';
import { lines } from './lines.ts';
test('it names the line', () => expect(lines()).toBe('10 0'));
