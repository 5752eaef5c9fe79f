/**
 * Loaded into the process measured with --import: sees how long its event loop was held, without a change of the program.
 * Each SIGUSR2 writes what was seen since the last one into a file.
 */
import { openSync, readSync, writeFileSync } from 'node:fs';

const EVERY_MS = 2;
const schedule = openSync('/proc/thread-self/schedstat', 'r');
const text = Buffer.alloc(64);

/** Milliseconds that this thread was ready to run, and another process ran instead. */
function waited(): number {
  const length = readSync(schedule, text, 0, text.length, 0);
  return Number(text.toString('latin1', 0, length).split(' ')[1]) / 1e6;
}

let heldMs = 0;
let lateMs = 0;
let before = { at: performance.now(), waited: waited() };

setInterval(() => {
  const now = { at: performance.now(), waited: waited() };
  const late = now.at - before.at - EVERY_MS;
  lateMs = Math.max(lateMs, late);
  heldMs = Math.max(heldMs, late - (now.waited - before.waited));
  before = now;
}, EVERY_MS).unref();

process.on('SIGUSR2', () => {
  writeFileSync(process.env['BENCH_LOOP_FILE'] ?? '', JSON.stringify({ heldMs, lateMs }));
  [heldMs, lateMs] = [0, 0];
});
