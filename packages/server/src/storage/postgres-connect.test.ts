import { Pool, type PoolClient } from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { CONNECT_TIMEOUT_MS, connectTo } from './postgres-connect.js';

afterEach(() => void vi.restoreAllMocks());

/** A pool that has no connection in time at first, and what its clock says then. */
function poolAfter(elapsedMs: number) {
  const pool = new Pool();
  const client = {} as PoolClient;
  const connect = vi.spyOn(pool, 'connect').mockImplementation(async () => {
    if (connect.mock.calls.length > 1) return client;
    vi.spyOn(performance, 'now').mockReturnValue(elapsedMs);
    throw new Error('timeout exceeded when trying to connect');
  });
  vi.spyOn(performance, 'now').mockReturnValue(0);
  return { pool, client, connect };
}

test('R2: a process that stood still asks for its connection once more', async () => {
  const { pool, client } = poolAfter(12 * CONNECT_TIMEOUT_MS);
  expect(await connectTo(pool)).toBe(client);
});

test('a database that gives no connection in time is not asked again', async () => {
  const { pool, connect } = poolAfter(CONNECT_TIMEOUT_MS + 1);
  await expect(connectTo(pool)).rejects.toMatchObject({ code: 'unavailable' });
  expect(connect).toHaveBeenCalledTimes(1);
});
