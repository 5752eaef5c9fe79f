import { expressionsIn, findExpressions, patternsIn } from '../generate/expressions.ts';
import { proveLinear, readProven } from '../generate/linear-expressions.ts';

// Checks that every regular expression matches in linear time. `npm run generate` writes the list of proved ones.
// Proving all of them takes 30 s, so only full runs do it.

// Files that build regular expressions from known texts at run time, each with the reason why that is safe.
const REVIEWED: Readonly<Record<string, string>> = {
  'packages/catalog/src/input/value-checks.ts':
    'Patterns of schemas, which are checked in their files. They run in the browser of the user who typed the text.',
  'packages/catalog/src/patterns/character-sets.ts':
    'One character or class of a pattern, which is matched with one character.',
  'packages/server/src/http/retry-after.ts':
    'Made of constants in the same file. It repeats only digits, with a fixed count.',
  'packages/sandbox/src/upstreams/filesite/item-endpoints.ts':
    'Made of constants in its folder. Each segment ends at a slash, so there is only one way to match.',
  'packages/server/src/upstream/headers.ts':
    'Made of constants in the same file: one of several prefixes of a name.',
  'scripts/mutants/security-rules.ts': 'The number of a rule between two word boundaries.',
};

/** Tests this check itself with slow regular expressions, because a check that finds nothing would always pass. */
function assertWorks(): void {
  const code = ['/a+$/', 'new RegExp("b+$")', 'text.match(`c+$`)', '({ pattern: "d+$" })', '/e/'].join(';\n');
  const schema = '{ "properties": { "a": { "pattern": "f+$" } },\n "patternProperties": { "g+$": {} } }';
  const { dynamic } = expressionsIn('new RegExp(text)', 'dynamic.ts');
  const { expressions } = expressionsIn(code, 'code.ts');
  const { problems } = proveLinear([...expressions, ...patternsIn(schema, 'schema.json')], []);
  const locations = [...problems.map((line) => line.split(': ')[0]), ...dynamic].join(' ');
  const expected = 'code.ts:1 code.ts:2 code.ts:3 code.ts:4 schema.json:2 schema.json:1 dynamic.ts:1';
  if (locations !== expected)
    throw new Error(`The check of expressions is broken. It found ${locations} instead of ${expected}.`);
}

assertWorks();
const isFull = process.env['SVC_TEST_FULL'] === '1';
const { expressions, dynamic } = findExpressions();
const unknown = dynamic.filter((location) => !Object.hasOwn(REVIEWED, location.split(':', 1).join()));
const problems = [
  ...proveLinear(expressions, isFull ? [] : readProven()).problems,
  ...unknown.map(
    (location) =>
      `${location}: an expression is built from a text at run time; use a literal, or add the file to REVIEWED with a reason`,
  ),
];
console.log(`${expressions.length} regular expressions`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
