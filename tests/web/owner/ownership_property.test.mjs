import { test } from 'node:test';
import fc from 'fast-check';
import { Player } from './ownership_player.mjs';

const kPrograms = Number(process.env.TENURE_PROGRAMS ?? 10_000);
// Other or more programs: TENURE_SEED=7 TENURE_PROGRAMS=50000 node --test tests/web/owner/ownership_property.test.mjs
const seed = Number(process.env.TENURE_SEED ?? 4);

const number = fc.nat(40);
const few = fc.array(number, { maxLength: 3 });
const one = (kind, ...parts) => fc.tuple(fc.constant(kind), ...parts);

const { statements, task } = fc.letrec((tie) => {
  const body = fc.array(tie('statement'), { maxLength: 6, depthIdentifier: 'body' });
  return {
    statement: fc.oneof(
      { depthIdentifier: 'body', maxDepth: 3 },
      { weight: 6, arbitrary: one('make', fc.nat(2)) },
      ...['neg', 'addNumber', 'clone', 'reshape', 'split', 'keep', 'hold', 'variable'].map((kind) => one(kind, number)),
      { weight: 3, arbitrary: one('dispose', number) },
      { weight: 2, arbitrary: one('addTwo', number, number) },
      one('clearList'),
      { weight: 2, arbitrary: one('scope') },
      { weight: 2, arbitrary: one('startScope') },
      { weight: 2, arbitrary: one('endScope', few) },
      ...['child', 'close', 'cap'].map((kind) => one(kind, number)),
      ...['attach', 'detach', 'ret', 'borrow'].map((kind) => one(kind, number, number)),
      { weight: 4, arbitrary: one('tidy', body, few, fc.boolean()) },
      { weight: 4, arbitrary: one('run', number, body, fc.boolean()) },
      {
        weight: 3,
        arbitrary: one(
          'gradient',
          number,
          number,
          fc.constantFrom('ops', 'ops', 'custom', 'apart', 'throw', 'throwBack'),
          body,
        ),
      },
    ),
    statements: fc.array(tie('statement'), { maxLength: 12, depthIdentifier: 'body' }),
    task: fc.record({
      statements: fc.array(
        fc.oneof({ depthIdentifier: 'task', maxDepth: 2 }, { weight: 5, arbitrary: tie('statement') }, tie('task')),
        { maxLength: 6 },
      ),
      results: few,
      throws: fc.boolean(),
    }),
  };
});

test(`${kPrograms} random programs match the ownership model after each statement`, async () => {
  const program = fc.record({ first: statements, tasks: fc.array(task, { maxLength: 3 }), last: statements });
  const property = fc.asyncProperty(program, async ({ first, tasks, last }) => {
    const player = new Player();
    try {
      player.play(first);
      await player.playTogether(tasks);
      player.play(last);
    } finally {
      player.end();
    }
  });
  await fc.assert(property, { numRuns: kPrograms, seed, includeErrorInReport: true });
});
