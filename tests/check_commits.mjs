// Fails if a commit's subject is not `area: imperative in standard terms`, in at most 72 characters: `node
// tests/check_commits.mjs [BASE]` checks BASE..HEAD, by default all commits since the form was introduced.
import { run } from '../cpp/toolchain/use.mjs';

const kMaxLength = 72;
/** The last commit before the form was introduced. */
const kBefore = '131a5a2';
const kForm = /^[a-z][\w./-]*(?:, [a-z][\w./-]*)*: [a-z].*[^.\s]$/;
/** First words that are not imperative: `added`, `adding`. */
const kOtherMood = /^(?!(?:embed|feed|need|seed|speed|bring|string|ring)$)\w+(?:ed|ing)$/;

export function problemWith(subject) {
  if (subject.length > kMaxLength) return `has ${subject.length} characters, of at most ${kMaxLength}`;
  if (!kForm.test(subject)) return 'is not of the form `area: imperative in standard terms`';
  const [verb] = subject.slice(subject.indexOf(': ') + 2).split(' ');
  return kOtherMood.test(verb) ? `begins with '${verb}', which is no imperative` : undefined;
}

if (import.meta.filename === process.argv[1]) {
  const base = process.argv[2] ?? kBefore;
  const lines = run('git', ['log', '--no-merges', '--format=%h %s', `${base}..HEAD`], { quiet: true })
    .split('\n')
    .filter(Boolean);
  for (const line of lines) {
    const [hash, ...words] = line.split(' ');
    const problem = problemWith(words.join(' '));
    if (!problem) continue;
    console.error(`${hash} "${words.join(' ')}" ${problem}`);
    process.exitCode = 1;
  }
}
