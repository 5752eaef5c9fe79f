/**
 * Module that is loaded into the measured program with `--import`. A timer measures how long the event loop was
 * blocked. On SIGUSR2, the module writes the longest time since the last signal to `BENCH_LOOP_FILE`.
 */
import { openSync, readSync, writeFileSync } from 'node:fs';

const EVERY_MS = 2;
const schedule = openSync('/proc/thread-self/schedstat', 'r');
const text = Buffer.alloc(64);

/** Returns the total time in milliseconds for which this thread was ready to run while the kernel ran other threads. */
function readWaitedMs(): number {
  const length = readSync(schedule, text, 0, text.length, 0);
  return Number(text.toString('latin1', 0, length).split(' ')[1]) / 1e6;
}

let blockedMs = 0;
let lateMs = 0;
let before = { at: performance.now(), waitedMs: readWaitedMs() };

setInterval(() => {
  const now = { at: performance.now(), waitedMs: readWaitedMs() };
  const late = now.at - before.at - EVERY_MS;
  lateMs = Math.max(lateMs, late);
  blockedMs = Math.max(blockedMs, late - (now.waitedMs - before.waitedMs));
  before = now;
}, EVERY_MS).unref();

process.on('SIGUSR2', () => {
  writeFileSync(process.env['BENCH_LOOP_FILE'] ?? '', JSON.stringify({ blockedMs, lateMs }));
  [blockedMs, lateMs] = [0, 0];
});
