import { guess } from '../build-requests.ts';
import { startHelper } from '../job-process.ts';
import type { Bench, Part, Result } from '../part.ts';
import { median } from '../quantile.ts';
import type { LoadJob, LoadResult } from '../send-load.ts';
import { startOurs } from '../start-targets.ts';

// As fast as a script guesses; every one of them would cost 20 ms of a core if it were hashed.
const PER_SECOND = 200;

const toRow = (name: string, calls: readonly LoadResult[], guesses: readonly LoadResult[] = []) => {
  const of = (results: readonly LoadResult[], what: 'perSecond' | 'p99Ms' | 'ownCpuUs') =>
    median(results.map((result) => result[what]));
  const isAttacked = guesses.length > 0;
  return {
    '': name,
    'requests/s': Math.round(of(calls, 'perSecond')),
    'p99 ms': of(calls, 'p99Ms').toFixed(2),
    'guesses/s': isAttacked ? Math.round(of(guesses, 'perSecond')) : 0,
    // Of a core.
    "guesser's CPU": isAttacked
      ? `${((of(guesses, 'perSecond') * of(guesses, 'ownCpuUs')) / 10_000).toFixed(1)} %`
      : '',
  };
};

async function run(bench: Bench): Promise<Result> {
  const { load, isQuick, defer } = bench;
  const attacker = startHelper<LoadJob, LoadResult>('./send-load.ts');
  defer(attacker.stop);
  const { proxy } = await startOurs(bench);
  const ms = isQuick ? 60 : 1500;
  const job = { ...proxy, connections: 8, ms };
  const port = proxy.servers[0]?.port ?? 0;
  const servers = [{ port, requests: [guess(`http://localhost:${port}`)] }];
  const guessing = { servers, connections: 32, perSecond: PER_SECOND, ms };
  const [alone, attacked, guesses]: [LoadResult[], LoadResult[], LoadResult[]] = [[], [], []];
  await load(job);
  for (let round = 0; round < (isQuick ? 1 : 7); round += 1) {
    alone.push(await load(job));
    const [guessed, called] = await Promise.all([attacker.ask(guessing), load(job)]);
    attacked.push(called);
    guesses.push(guessed);
  }
  const p99Of = (results: readonly LoadResult[]) => median(results.map(({ p99Ms }) => p99Ms));
  const told = [...new Set(guesses.flatMap(({ statuses }) => statuses))].sort().join(', ');
  return {
    rows: [toRow('alone', alone), toRow('beside 200 guesses a second', attacked, guesses)],
    figures: { 'attack.p99': p99Of(attacked) / p99Of(alone) },
    notes: [`The guesses were answered with ${told}.`],
  };
}

export const attack: Part = { title: "Proxied calls while somebody guesses an operator's password", run };
