import { buildPasswordGuess } from '../build-requests.ts';
import type { Bench, Part, Result } from '../part.ts';
import { mediansOf } from '../run-rounds.ts';
import type { LoadResult } from '../send-load.ts';
import { startLoad } from '../start-load.ts';
import { startServiceTargets } from '../start-targets.ts';

/**
 * Password guesses that the attacker sends per second, as a simple script could. Hashing every guess would need four
 * CPU cores.
 */
const PER_SECOND = 200;
const ROUNDS = 7;
const ROUND_MS = 1500;

async function run(bench: Bench): Promise<Result> {
  const { load, isQuick, defer } = bench;
  const attacker = startLoad(isQuick);
  defer(attacker.stop);
  const { proxy } = await startServiceTargets(bench);
  const calls = { ...proxy, connections: 8, ms: ROUND_MS };
  const port = proxy.servers[0]?.port ?? 0;
  const guesses = {
    servers: [{ port, requests: [buildPasswordGuess(`http://localhost:${port}`)] }],
    connections: 32,
    perSecond: PER_SECOND,
    ms: ROUND_MS,
  };
  const [alone, attacked, guessed]: [LoadResult[], LoadResult[], LoadResult[]] = [[], [], []];
  await load(calls);
  for (let round = 0; round < (isQuick ? 1 : ROUNDS); round += 1) {
    alone.push(await load(calls));
    const [guessResult, callResult] = await Promise.all([attacker.run(guesses), load(calls)]);
    guessed.push(guessResult);
    attacked.push(callResult);
  }
  const toRow = (name: string, { perSecond, p99Ms }: Pick<LoadResult, 'perSecond' | 'p99Ms'>) => ({
    '': name,
    'requests/s': Math.round(perSecond),
    'p99 ms': p99Ms.toFixed(2),
  });
  const [before, during, guesser] = [mediansOf(alone), mediansOf(attacked), mediansOf(guessed)];
  const guesserPercent = (guesser.perSecond * guesser.ownCpuUs) / 10_000;
  const statuses = [...new Set(guessed.flatMap((result) => result.statuses))].sort().join(', ');
  return {
    rows: [
      toRow('alone', before),
      {
        ...toRow('during 200 guesses a second', during),
        'guesses/s': Math.round(guesser.perSecond),
        "guesser's CPU": `${guesserPercent.toFixed(1)} %`,
      },
    ],
    figures: { 'attack.p99': during.p99Ms / before.p99Ms },
    notes: [`Statuses of the responses to the guesses: ${statuses}.`],
  };
}

export const attack: Part = { title: "Proxied calls while somebody guesses an operator's password", run };
