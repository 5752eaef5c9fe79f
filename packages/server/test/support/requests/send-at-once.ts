import { parentPort, workerData } from 'node:worker_threads';

/** Input of this worker thread, which sends one request `count` times concurrently. */
export interface AtOnce {
  readonly url: string;
  readonly init: RequestInit;
  readonly count: number;
}

// Large bodies are sent in a worker thread, because they would block the main thread, which measures waiting times.
const { url, init, count }: AtOnce = workerData;
const replies = await Promise.all(Array.from({ length: count }, () => fetch(url, init)));
parentPort?.postMessage(replies.map(({ status }) => status));
