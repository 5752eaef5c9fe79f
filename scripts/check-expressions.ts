import { readFileSync, writeFileSync } from 'node:fs';
import recheck from 'recheck/package.json' with { type: 'json' };
import { type Expression, expressionsIn, findExpressions, patternsIn } from './expressions.ts';

// Makes recheck, the checker of regular expressions, use only JavaScript. Otherwise it would search for Java and native
// engines.
process.env['RECHECK_BACKEND'] = 'pure';
const { checkSync } = await import('recheck');

// Files that build regular expressions from known texts at run time, each with the reason why that is safe.
const REVIEWED: Readonly<Record<string, string>> = {
  'packages/catalog/src/checks/value-checks.ts':
    'Patterns of schemas, which are checked in their files. They run in the browser of the user who typed the text.',
  'packages/catalog/src/patterns/character-sets.ts':
    'One character or class of a pattern, which is matched with one character.',
  'packages/server/src/http/retry-after.ts':
    'Made of constants in the same file. It repeats only digits, with a fixed count.',
  'packages/sandbox/src/upstreams/filesite/item-endpoints.ts':
    'Made of constants in its folder. Each segment ends at a slash, so there is only one way to match.',
  'packages/server/src/upstream/headers.ts':
    'Made of constants in the same file: one of several prefixes of a name.',
  'scripts/security-rules.ts': 'The number of a rule between two word boundaries.',
};

// Options of recheck without time limits, so that the result does not depend on the load of the machine.
const PARAMETERS = { timeout: 60_000, attackTimeout: null, incubationTimeout: null };
// List of regular expressions that recheck has proved to take linear time. Checking all of them takes 30 s, so only
// full runs do it.
const PROVEN = 'scripts/linear-expressions.json';
const isFull = process.env['SVC_TEST_FULL'] === '1';
const isWriting = process.argv.includes('--write');

interface Proven {
  /** Version of recheck that proved that the regular expressions take linear time. */
  readonly recheck: string;
  readonly linear: readonly string[];
}

const textOf = ({ source, flags }: Expression): string => `/${source}/${flags}`;

/** Returns the problem of a regular expression. Undefined if its time grows linearly with the length of the text. */
function problemOf({ source, flags }: Expression): string | undefined {
  const result = checkSync(source, flags, PARAMETERS);
  if (result.status === 'safe') return undefined;
  if (result.status === 'unknown') return `not proved linear (${result.error.kind}); simplify it`;
  return `${result.complexity.summary} for ${result.attack.pattern}; make it linear`;
}

/**
 * Finds regular expressions whose matching time is not linear in the length of the text. Checks equal expressions only
 * once, and adds linear ones to `linear`.
 */
function findSlow(all: readonly Expression[], linear: Set<string>): readonly string[] {
  const groups = Object.groupBy(all, textOf);
  return Object.entries(groups).flatMap(([text, same = []]) => {
    if (linear.has(text)) return [];
    const problem = same[0] && problemOf(same[0]);
    if (problem === undefined) linear.add(text);
    return problem === undefined ? [] : same.map(({ location }) => `${location}: ${text} is ${problem}`);
  });
}

/** Tests this check itself with slow regular expressions, because a check that finds nothing would always pass. */
function assertWorks(): void {
  const code = ['/a+$/', 'new RegExp("b+$")', 'text.match(`c+$`)', '({ pattern: "d+$" })', '/e/'].join(';\n');
  const schema = '{ "properties": { "a": { "pattern": "f+$" } },\n "patternProperties": { "g+$": {} } }';
  const { dynamic } = expressionsIn('new RegExp(text)', 'dynamic.ts');
  const { expressions } = expressionsIn(code, 'code.ts');
  const slow = findSlow([...expressions, ...patternsIn(schema, 'schema.json')], new Set());
  const locations = [...slow.map((line) => line.split(': ')[0]), ...dynamic].join(' ');
  const expected = 'code.ts:1 code.ts:2 code.ts:3 code.ts:4 schema.json:2 schema.json:1 dynamic.ts:1';
  if (locations !== expected)
    throw new Error(`The check of expressions is broken. It found ${locations} instead of ${expected}.`);
}

/** Reads the list of regular expressions that are proved linear. Empty if another version of recheck wrote the list. */
function readProven(): readonly string[] {
  const proven: Proven = JSON.parse(readFileSync(PROVEN, 'utf8'));
  return proven.recheck === recheck.version ? proven.linear : [];
}

function write(linear: ReadonlySet<string>): void {
  const proven: Proven = { recheck: recheck.version, linear: [...linear].toSorted() };
  writeFileSync(PROVEN, `${JSON.stringify(proven, null, 2)}\n`);
}

assertWorks();
const { expressions, dynamic } = findExpressions();
const present = new Set(expressions.map(textOf));
const proven = readProven();
const linear = new Set(isFull ? [] : proven.filter((text) => present.has(text)));
const unknown = dynamic.filter((location) => !Object.hasOwn(REVIEWED, location.split(':', 1).join()));
const problems = [
  ...findSlow(expressions, linear),
  ...unknown.map(
    (location) =>
      `${location}: an expression is built from a text at run time; use a literal, or add the file to REVIEWED with a reason`,
  ),
];
if (isWriting) write(linear);
const isListDue = !isWriting && [...linear].toSorted().join('\n') !== proven.join('\n');
if (isFull && isListDue)
  problems.push(`${PROVEN} is out of date; run node scripts/check-expressions.ts --write`);
console.log(`${expressions.length} regular expressions`);
for (const problem of problems) console.error(problem);
if (isListDue) console.log('Run `node scripts/check-expressions.ts --write` to make the next runs faster');
process.exitCode = problems.length === 0 ? 0 : 1;
