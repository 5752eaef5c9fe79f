import { readFileSync } from 'node:fs';

// Offset in ms. Tests preload this file with `--import` to give a process a wrong clock.
const fixed = Number(process.env['SVC_TEST_CLOCK_MS']);
// File with the offset in ms, for a test that moves the clock while the process runs.
const file = process.env['SVC_TEST_CLOCK_FILE'];
const offset = () => (file === undefined ? fixed : Number(readFileSync(file, 'utf8')));
const now = Date.now.bind(Date);
const TrueDate = Date;

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, given, wanted) =>
    Reflect.construct(target, given.length === 0 ? [now() + offset()] : given, wanted),
  get: (target, name, receiver) =>
    name === 'now' ? () => now() + offset() : Reflect.get(target, name, receiver),
});
