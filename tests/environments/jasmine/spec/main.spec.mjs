import { program } from '../program.mjs';
describe('it', () => it('runs', async () => expect(await program()).toBe('10 0')));
