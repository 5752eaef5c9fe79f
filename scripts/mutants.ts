import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { KINDS, type Mutant, runRule, SERVER } from './rule-tests.ts';
import { readSecurityRules } from './security-rules.ts';
import { takeTemporaryFolder } from './temporary-folder.ts';

// Rule V2: breaks a rule of SECURITY.md in one place and runs the tests that carry its number: one of them must fail.

const HELP = `npm run test:mutants -- [--check] [--rule K4]

Runs every mutant of scripts/mutants.json: a fault in one source file of the service, as the tests that carry the rule's
number load or start it. Ends with 1 when a mutant survives, or when the tests of a rule fail without one.

  --check      Only see whether each mutant still fits its file, and each rule has one
  --rule RULE  Only the mutants of this rule
`;

const AT_ONCE = 2;
const LEAST = 120;

const mutants: readonly Mutant[] = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'mutants.json'), 'utf8'),
);

const name = ({ rule, file, find }: Mutant) => `${rule.padEnd(3)} ${file}: ${find.trim().split('\n')[0]}`;

/** Mutants that fit no longer what they break. */
const findIll = (chosen: readonly Mutant[]): string[] =>
  chosen.flatMap((mutant) => {
    const source = readFileSync(path.join(SERVER, 'src', mutant.file), 'utf8');
    const count = source.split(mutant.find).length - 1;
    return count === 1 ? [] : [`${name(mutant)} … stands ${count} times in its file`];
  });

function findMissing(): string[] {
  // What a check step shows is not the service's code.
  const without = readSecurityRules().filter(
    ({ rule, shownBy, isForFullRuns }) =>
      !isForFullRuns &&
      !shownBy.some((file) => file.startsWith('scripts/')) &&
      !mutants.some((mutant) => mutant.rule === rule),
  );
  const few = mutants.length < LEAST ? [`There are ${mutants.length} mutants, and not ${LEAST}`] : [];
  return [...without.map(({ rule }) => `${rule} has no mutant`), ...few];
}

/** `undefined` when it is killed; else how far the tests came that did not see it. */
async function survival(mutant: Mutant): Promise<string | undefined> {
  let [passed, broken] = [0, 0];
  for (const kind of KINDS) {
    const outcome = await runRule(mutant.rule, { kind, mutant });
    if (outcome.failed > 0) return undefined;
    passed += outcome.passed;
    broken += outcome.broken;
  }
  return `${passed} tests passed with it, ${broken} files did not come to theirs`;
}

/** Without a mutant the tests of a rule pass, and so by themselves. */
async function holdsAlone(rule: string): Promise<boolean> {
  const runs = [];
  for (const kind of KINDS) runs.push(await runRule(rule, { kind }));
  return (
    runs.every(({ failed, broken }) => failed === 0 && broken === 0) && runs.some(({ passed }) => passed > 0)
  );
}

async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const next = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

async function run(chosen: readonly Mutant[]): Promise<string[]> {
  takeTemporaryFolder();
  const faults: string[] = [];
  await eachOf([...new Set(chosen.map(({ rule }) => rule))], async (rule) => {
    const holds = await holdsAlone(rule);
    console.log(`${holds ? 'passes' : 'FAILS '}   ${rule} without a mutant`);
    if (!holds) faults.push(`The tests of ${rule} do not pass by themselves`);
  });
  await eachOf(chosen, async (mutant) => {
    const survived = await survival(mutant).catch(({ message }: Error) => `it could not be run: ${message}`);
    console.log(`${survived === undefined ? 'killed  ' : 'SURVIVES'} ${name(mutant)}`);
    if (survived !== undefined) faults.push(`${name(mutant)} survives: ${survived}`);
  });
  console.log(`${chosen.length} mutants of ${new Set(chosen.map(({ rule }) => rule)).size} rules`);
  return faults;
}

const { values } = parseArgs({
  options: { help: { type: 'boolean' }, check: { type: 'boolean' }, rule: { type: 'string' } },
});
if (values.help) {
  console.log(HELP);
} else {
  const chosen = mutants.filter(({ rule }) => values.rule === undefined || rule === values.rule);
  const ill = [...findIll(chosen), ...(values.rule ? [] : findMissing())];
  const faults = ill.length > 0 || values.check ? ill : await run(chosen);
  if (values.check && ill.length === 0) console.log(`${mutants.length} mutants fit their files`);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
