export const isFull = process.env['SVC_TEST_FULL'] === '1';

/** How often something is tried: so often in `npm run test:full`, and a twentieth of it in `npm test`, but not fewer than `least`. */
export const rounds = (full: number, least = 1): number =>
  isFull ? full : Math.max(least, Math.ceil(full / 20));
