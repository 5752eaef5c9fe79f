import { expect, test } from 'vitest';
import { freePort } from '../../../../../scripts/free-port.ts';

const FIRST_EPHEMERAL_PORT = 32_768;

test('free ports of concurrent callers, and the proxy ports above them, are different and not ephemeral', async () => {
  const ports = await Promise.all(Array.from({ length: 40 }, freePort));
  const all = ports.flatMap((port) => [port, port + 2]);
  expect(new Set(all).size).toBe(all.length);
  expect(Math.max(...all)).toBeLessThan(FIRST_EPHEMERAL_PORT);
});
