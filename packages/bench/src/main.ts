import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startHelper } from './helper.ts';
import type { LoadJob, LoadResult } from './load.ts';
import type { Bench, Part, Result } from './part.ts';
import { attack } from './parts/attack.ts';
import { hot } from './parts/hot.ts';
import { latency } from './parts/latency.ts';
import { loop } from './parts/loop.ts';
import { streams } from './parts/streams.ts';
import { judge, table, verdictTable } from './print.ts';
import type { Upstream } from './upstream.ts';

const PARTS: Readonly<Record<string, Part>> = { hot, latency, loop, streams, attack };

const HELP = `Measures the service beside a hand-written proxy and others. packages/bench/README.md says how to read it.

Usage: npm run bench -- [options]

  --only <part>      One part alone; may be given several times
  --json <file>      Write all figures there too
  --check            End with 1 when something that must hold does not
  --quick            Rounds so short that the figures say nothing: shows that everything runs
  --help             Show this text

Parts:

${Object.entries(PARTS)
  .map(([name, { title }]) => `  ${name.padEnd(18)} ${title}`)
  .join('\n')}
`;

interface Options {
  readonly parts: readonly string[];
  readonly isQuick: boolean;
  readonly isStrict: boolean;
  readonly json?: string | undefined;
}

function readOptions(): Options | undefined {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true },
      json: { type: 'string' },
      check: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const parts = values.only ?? Object.keys(PARTS);
  const unknown = parts.find((name) => !Object.hasOwn(PARTS, name));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}"; --help lists them.`);
  return { parts, isQuick: values.quick, isStrict: values.check, json: values.json };
}

/** Runs a part, and ends whatever it has started. */
async function runPart(part: Part, bench: Omit<Bench, 'defer'>): Promise<Result> {
  const ends: (() => Promise<void>)[] = [];
  try {
    return await part.run({ ...bench, defer: (end) => ends.push(end) });
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

async function run({ parts, isQuick }: Options): Promise<Readonly<Record<string, Result>>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-bench-'));
  const upstream = startHelper<object, Upstream>('./upstream.ts');
  const load = startHelper<LoadJob, LoadResult>('./load.ts');
  const results: Record<string, Result> = {};
  try {
    const bench = { folder, isQuick, load: load.ask, upstream: await upstream.ask({}) };
    for (const [name, part] of Object.entries(PARTS)) {
      if (!parts.includes(name)) continue;
      const result = await runPart(part, bench);
      results[name] = result;
      console.log(`\n${part.title}\n\n${[table(result.rows), ...(result.notes ?? [])].join('\n')}`);
    }
    return results;
  } finally {
    await Promise.all([upstream.stop(), load.stop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return console.log(HELP);
  if (process.platform !== 'linux') throw new Error('The bench reads /proc, and so runs on Linux alone.');
  const results = await run(options);
  const verdicts = judge(Object.assign({}, ...Object.values(results).map(({ figures }) => figures)));
  console.log(`\n${verdictTable(verdicts)}`);
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version };
  if (options.json !== undefined)
    writeFileSync(options.json, `${JSON.stringify({ machine, parts: results, verdicts }, undefined, 2)}\n`);
  if (options.isStrict && verdicts.some(({ isHeld }) => !isHeld)) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
