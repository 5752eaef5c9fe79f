/** Sends what is refused, in a process of its own, at a steady rate however it is answered. */
import { setTimeout as wait } from 'node:timers/promises';
import { answerJobs } from './helper.ts';

export interface AttackJob {
  readonly url: string;
  readonly body: string;
  readonly perSecond: number;
  readonly ms: number;
}

/** How many answers came, by their status. */
export type AttackResult = Readonly<Record<string, number>>;

const TICK_MS = 10;

async function run({ url, body, perSecond, ms }: AttackJob): Promise<AttackResult> {
  const counts: Record<string, number> = {};
  const count = (answer: string) => {
    counts[answer] = (counts[answer] ?? 0) + 1;
  };
  const send = async () => {
    const headers = { 'content-type': 'application/json', origin: new URL(url).origin };
    const response = await fetch(url, { method: 'POST', headers, body });
    await response.arrayBuffer();
    count(String(response.status));
  };
  const sent: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let elapsed = 0; elapsed < ms; elapsed = performance.now() - startedAt) {
    while (sent.length < (elapsed / 1000) * perSecond) sent.push(send().catch(() => count('no answer')));
    await wait(TICK_MS);
  }
  await Promise.all(sent);
  return counts;
}

answerJobs(run);
