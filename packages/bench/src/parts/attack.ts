import type { AttackJob, AttackResult } from '../attack.ts';
import { startHelper } from '../helper.ts';
import type { LoadResult } from '../load.ts';
import type { Bench, Part, Result } from '../part.ts';
import { median } from '../statistics.ts';
import { startOurs } from '../targets.ts';

// As fast as a script guesses; every one of them would cost 20 ms of a core if it were hashed.
const PER_SECOND = 200;
const GUESS = JSON.stringify({ name: 'admin', password: 'not the password of anybody' });

async function run(bench: Bench): Promise<Result> {
  const { load, isQuick, defer } = bench;
  const attack = startHelper<AttackJob, AttackResult>('./attack.ts');
  defer(attack.stop);
  const { proxy } = await startOurs(bench);
  const ms = isQuick ? 60 : 1500;
  const job = { ...proxy, connections: 8, ms };
  const url = `http://localhost:${proxy.ports[0]}/operator/v1/session`;
  const [alone, attacked, answers]: [LoadResult[], LoadResult[], AttackResult[]] = [[], [], []];
  await load(job);
  for (let round = 0; round < (isQuick ? 1 : 7); round += 1) {
    alone.push(await load(job));
    const [refused, result] = await Promise.all([
      attack.ask({ url, body: GUESS, perSecond: PER_SECOND, ms }),
      load(job),
    ]);
    attacked.push(result);
    answers.push(refused);
  }
  const p99Of = (results: readonly LoadResult[]) => median(results.map(({ p99Ms }) => p99Ms));
  const rateOf = (results: readonly LoadResult[]) => median(results.map(({ perSecond }) => perSecond));
  const rows = Object.entries({ alone, 'beside 200 guesses a second': attacked }).map(([name, results]) => ({
    '': name,
    'requests/s': Math.round(rateOf(results)),
    'p99 ms': p99Of(results).toFixed(2),
  }));
  const told = [...new Set(answers.flatMap((each) => Object.keys(each)))].sort().join(', ');
  return {
    rows,
    figures: { 'attack.p99': p99Of(attacked) / p99Of(alone) },
    notes: [`The guesses were answered with ${told}.`],
  };
}

export const attack: Part = { title: "Proxied calls while somebody guesses an operator's password", run };
