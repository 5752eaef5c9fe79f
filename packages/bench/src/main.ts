import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Part, Result } from './part.ts';
import { agents } from './parts/agents.ts';
import { attack } from './parts/attack.ts';
import { hot } from './parts/hot.ts';
import { latency } from './parts/latency.ts';
import { lists } from './parts/lists.ts';
import { loop } from './parts/loop.ts';
import { scale } from './parts/scale.ts';
import { start } from './parts/start.ts';
import { streams } from './parts/streams.ts';
import { judge, table, verdictTable } from './print.ts';
import { runParts } from './run-parts.ts';

const PARTS: ReadonlyMap<string, Part> = new Map(
  Object.entries({ hot, latency, loop, streams, attack, start, scale, lists, agents }),
);

const HELP = `Measures the service beside a hand-written proxy and others. packages/bench/README.md says how to read it.

Usage: npm run bench -- [options]

  --only <part>      One part alone; may be given several times
  --accounts <n>     So many in the parts scale and lists (20000); with 1000000 seeding alone takes minutes
  --executions <n>   So many in the part lists (50000)
  --postgres         Those two on a PostgreSQL, and not on SQLite
  --json <file>      Write all figures there too
  --check            End with 1 when something that must hold does not
  --quick            Rounds so short that the figures say nothing: shows that everything runs
  --help             Show this text

Parts:

${[...PARTS].map(([name, { title }]) => `  ${name.padEnd(18)} ${title}`).join('\n')}
`;

function choose(names: readonly string[]): ReadonlyMap<string, Part> {
  const unknown = names.find((name) => !PARTS.has(name));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}"; --help lists them.`);
  return new Map([...PARTS].filter(([name]) => names.includes(name)));
}

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

async function measure(): Promise<void> {
  if (process.platform !== 'linux') throw new Error('The bench reads /proc, and so runs on Linux alone.');
  const parts = choose(values.only);
  const results: Record<string, Result> = {};
  const accounts = Number(values.accounts);
  const listed = { accounts, executions: Number(values.executions) };
  const settings = { isQuick: values.quick, accounts, listed, isOnPostgres: values.postgres };
  await runParts(parts, settings, (name, result) => {
    results[name] = result;
    const text = [table(result.rows), ...(result.notes ?? [])].join('\n');
    console.log(`\n${parts.get(name)?.title}\n\n${text}`);
  });
  const verdicts = judge(Object.assign({}, ...Object.values(results).map(({ figures }) => figures)));
  console.log(`\n${verdictTable(verdicts)}`);
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify({ machine, parts: results, verdicts }, undefined, 2)}\n`);
  if (values.check && verdicts.some(({ isHeld }) => !isHeld)) process.exitCode = 1;
}

try {
  if (values.help) console.log(HELP);
  else await measure();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
