export const isFull = process.env['SVC_TEST_FULL'] === '1';

const isRelease = process.env['SVC_TEST_RELEASE'] === '1';

/**
 * Number of repetitions: `full` in `npm run test:full`, and a fiftieth of `full` in other runs, but at least `least`.
 */
export const rounds = (full: number, least = 1): number =>
  isFull ? full : Math.max(least, Math.ceil(full / 50));

/** Number of inputs for a parser (rule F9): 10,000,000 before a release (`SVC_TEST_RELEASE=1`), fewer otherwise. */
export const inputs = (): number => (isRelease ? 10_000_000 : rounds(60_000));
