// Offset in ms. Tests preload this file with `--import` to give a process a wrong clock.
const offset = Number(process.env['SVC_TEST_CLOCK_MS']);
const now = Date.now.bind(Date);
const TrueDate = Date;

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, given, wanted) =>
    Reflect.construct(target, given.length === 0 ? [now() + offset] : given, wanted),
  get: (target, name, receiver) =>
    name === 'now' ? () => now() + offset : Reflect.get(target, name, receiver),
});
