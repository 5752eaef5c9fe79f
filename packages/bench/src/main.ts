import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { checkBounds } from './check-bounds.ts';
import type { Part, Result } from './part.ts';
import { agents } from './parts/agents.ts';
import { attack } from './parts/attack.ts';
import { events } from './parts/events.ts';
import { hot } from './parts/hot.ts';
import { imports } from './parts/imports.ts';
import { latency } from './parts/latency.ts';
import { lists } from './parts/lists.ts';
import { loop } from './parts/loop.ts';
import { scale } from './parts/scale.ts';
import { start } from './parts/start.ts';
import { streams } from './parts/streams.ts';
import { table, verdictTable } from './print.ts';
import { runParts } from './run-parts.ts';

const PARTS: ReadonlyMap<string, Part> = new Map(
  Object.entries({ hot, latency, loop, streams, attack, start, scale, lists, events, imports, agents }),
);

const HELP = `Measures the service next to a hand-written proxy and others. packages/bench/README.md explains the figures.

Usage: npm run bench -- [options]

  --only <part>      Run this part only; may be repeated
  --accounts <n>     Accounts in the parts scale and lists (20000); 1000000 take minutes to seed
  --executions <n>   Executions in the part lists (50000)
  --postgres         Use PostgreSQL instead of SQLite in the parts scale and lists
  --json <file>      Write all figures to this file as well
  --check            Exit with 1 when a bound is not met
  --quick            Shorten the rounds, to show that everything runs; the figures are not valid
  --help             Show this text

Exits with 2 when the run is not valid.

Parts:

${[...PARTS].map(([name, { title }]) => `  ${name.padEnd(18)} ${title}`).join('\n')}
`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [...PARTS.keys()] },
      accounts: { type: 'string', default: '20000' },
      executions: { type: 'string', default: '50000' },
      postgres: { type: 'boolean', default: false },
      json: { type: 'string' },
      check: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [accounts, executions] = [Number(values.accounts), Number(values.executions)];
  if (!(accounts > 0 && executions > 0))
    throw new Error('Pass positive numbers to --accounts and --executions.');
  return { ...values, accounts, executions };
}

type Options = ReturnType<typeof readOptions>;

function chooseParts(names: readonly string[]): ReadonlyMap<string, Part> {
  const unknown = names.find((name) => !PARTS.has(name));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}"; --help lists them.`);
  return new Map([...PARTS].filter(([name]) => names.includes(name)));
}

async function measure(options: Options): Promise<void> {
  if (process.platform !== 'linux')
    throw new Error('The bench reads /proc, which this system does not have. Run it on Linux.');
  const parts = chooseParts(options.only);
  const results: Record<string, Result> = {};
  const settings = {
    isQuick: options.quick,
    accounts: options.accounts,
    executions: options.executions,
    isOnPostgres: options.postgres,
  };
  await runParts(parts, settings, (name, result) => {
    results[name] = result;
    const text = [table(result.rows), ...(result.notes ?? [])].join('\n');
    console.log(`\n${parts.get(name)?.title}\n\n${text}`);
  });
  const { verdicts, invalid, exitCode } = checkBounds(Object.values(results), options);
  console.log(`\n${verdictTable(verdicts)}`);
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ machine, parts: results, verdicts }, undefined, 2)}\n`);
  for (const reason of invalid) console.error(`\nTHIS RUN IS NOT VALID: ${reason}`);
  process.exitCode = exitCode;
}

try {
  const options = readOptions();
  if (options.help) console.log(HELP);
  else await measure(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
