import { parentPort, workerData } from 'node:worker_threads';

/** Input of this thread, which sends the same request `count` times at once. */
export interface AtOnce {
  readonly url: string;
  readonly init: RequestInit;
  readonly count: number;
}

// A thread of its own: large bodies would keep the thread that measures waiting as well.
const { url, init, count }: AtOnce = workerData;
const replies = await Promise.all(Array.from({ length: count }, () => fetch(url, init)));
parentPort?.postMessage(replies.map(({ status }) => status));
