import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { takeTemporaryFolder } from '../temporary-folder.ts';
import { fragmentOf, locateMutant, type Mutant } from './locate-mutant.ts';
import { KINDS, runRule } from './rule-tests.ts';
import { readSecurityRules } from './security-rules.ts';

// Mutation test (rule V2 in security-rules.md): breaks a security rule once, and runs the tests that carry the
// rule's number. A test must fail.

const HELP = `npm run test:mutants -- [--check] [--rule K4]

Runs the mutants of scripts/mutants/mutants.json. A mutant is a fault in the source of the service that breaks one rule
of security-rules.md. Vitest loads the source with the fault, and runs the tests that carry the number of the rule. Exits
with 1 when a mutant survives, because no test fails, or when the tests of a rule fail without a mutant.

  --check      Only check that each mutant fits the source, and that each rule has a mutant
  --rule RULE  Run only the mutants of this rule

A mutant names a top-level declaration of packages/server/src, in any file, and an edit inside it:

  { "rule": "A9", "symbol": "BURST_SECONDS", "find": "2", "replace": "20" }
  { "rule": "A9", "symbol": "limitCalls", "remove": "if (taken.isAllowed)" }

  find, remove  Fragment that occurs once in the declaration. Whitespace does not count
  near          Another declaration of the same file, where several declarations named "symbol" contain the fragment
  database      "postgres" when the rule breaks on PostgreSQL alone
`;

const AT_ONCE = 2;
const LEAST = 120;

const mutants: readonly Mutant[] = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'mutants.json'), 'utf8'),
);

const nameOf = (mutant: Mutant) => `${mutant.rule.padEnd(3)} ${mutant.symbol}: ${fragmentOf(mutant)}`;

function findUnfit(chosen: readonly Mutant[]): string[] {
  return chosen.flatMap((mutant) => {
    try {
      locateMutant(mutant);
      return [];
    } catch (error) {
      return [
        `${nameOf(mutant)}\n    does not match the source; correct scripts/mutants/mutants.json: ${(error as Error).message}`,
      ];
    }
  });
}

function findMissing(): string[] {
  // Security rules without a mutant. Rules that a check script covers need none, because the script tests the
  // repository and not the service.
  const without = readSecurityRules().filter(
    ({ rule, testFiles, isForFullRuns }) =>
      !isForFullRuns &&
      !testFiles.some((file) => file.startsWith('scripts/')) &&
      !mutants.some((mutant) => mutant.rule === rule),
  );
  const few =
    mutants.length < LEAST
      ? [`scripts/mutants/mutants.json has ${mutants.length} mutants, but needs ${LEAST}; add more`]
      : [];
  return [
    ...without.map(({ rule }) => `${rule} has no mutant; add one to scripts/mutants/mutants.json`),
    ...few,
  ];
}

/**
 * Runs the tests of a security rule with the mutant, a fault that breaks the rule. Returns undefined if a test fails,
 * otherwise a summary of the results.
 */
async function survival(mutant: Mutant): Promise<string | undefined> {
  let [passed, broken] = [0, 0];
  for (const kind of KINDS) {
    const outcome = await runRule(mutant.rule, { kind, mutant });
    if (outcome.failed > 0) return undefined;
    passed += outcome.passed;
    broken += outcome.broken;
  }
  return `${passed} tests passed, and ${broken} files failed before their tests; add a test that fails`;
}

/** Checks whether the tests of a security rule pass without a mutant (a fault in the source). */
async function passesAlone(rule: string): Promise<boolean> {
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
    const passes = await passesAlone(rule);
    console.log(`${passes ? 'passes' : 'FAILS '}   ${rule} without a mutant`);
    if (!passes) faults.push(`The tests of ${rule} fail or are missing without a mutant; correct them first`);
  });
  await eachOf(chosen, async (mutant) => {
    const survived = await survival(mutant).catch(
      ({ message }: Error) => `the tests could not run: ${message}`,
    );
    console.log(`${survived === undefined ? 'killed  ' : 'SURVIVES'} ${nameOf(mutant)}`);
    if (survived !== undefined) faults.push(`${nameOf(mutant)} survives: ${survived}`);
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
  const unfit = [...findUnfit(chosen), ...(values.rule ? [] : findMissing())];
  const faults = unfit.length > 0 || values.check ? unfit : await run(chosen);
  if (values.check && unfit.length === 0) console.log(`All ${mutants.length} mutants match the source`);
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
