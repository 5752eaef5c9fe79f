import { Pool, type PoolClient } from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CONNECT_TIMEOUT_MS, connectTo, createLostClients, withResponseTimeout } from './postgres-client.js';

afterEach(() => void vi.restoreAllMocks());

/**
 * Simulates a connection pool whose first attempt to connect times out, and a clock that then shows `elapsedMs`. The
 * next attempt succeeds.
 */
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

describe('the connection to PostgreSQL', () => {
  test('R2: is requested once more after a pause of the process', async () => {
    const { pool, client } = poolAfter(12 * CONNECT_TIMEOUT_MS);
    expect(await connectTo(pool)).toBe(client);
  });

  test('is unavailable after its timeout without another try', async () => {
    const { pool, connect } = poolAfter(CONNECT_TIMEOUT_MS + 1);
    await expect(connectTo(pool)).rejects.toMatchObject({ code: 'unavailable' });
    expect(connect).toHaveBeenCalledTimes(1);
  });
});

describe('the wait for a response', () => {
  const never = () => new Promise<string>(() => undefined);

  test('F6: loses a client without a response', async () => {
    const onLost = vi.fn();
    await expect(withResponseTimeout(never(), { waitMs: 5, graceMs: 5, onLost })).rejects.toThrow(
      'did not respond',
    );
    expect(onLost).toHaveBeenCalledTimes(1);
  });

  test('passes on a timely response or failure', async () => {
    const onLost = vi.fn();
    expect(await withResponseTimeout(Promise.resolve('yes'), { onLost })).toBe('yes');
    await expect(withResponseTimeout(Promise.reject(new Error('no')), { onLost })).rejects.toThrow('no');
    expect(onLost).not.toHaveBeenCalled();
  });

  test('R2: accepts a response that arrived during a pause of the process', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    setTimeout(() => resolve('late'), 20);
    expect(await withResponseTimeout(promise, { waitMs: 1, graceMs: 5000 })).toBe('late');
  });
});

describe('the set of lost clients', () => {
  /** Connects one database client at each of these times, in milliseconds. */
  function clientsOf(...times: number[]) {
    let clock = 0;
    let connected: (client: object) => void = () => undefined;
    const { isLost, reportLost } = createLostClients<object>(
      (listener) => {
        connected = listener;
      },
      () => clock,
    );
    const clients = times.map((time) => {
      clock = time;
      const client = {};
      connected(client);
      return client;
    });
    return { reportLost, lost: () => clients.map(isLost) };
  }

  test('is empty before a response is missing', () => {
    expect(clientsOf(0, 10).lost()).toEqual([false, false]);
  });

  test('contains the clients connected before the statement without a response', () => {
    const { reportLost, lost } = clientsOf(1, 5, 20);
    reportLost(10);
    expect(lost()).toEqual([true, true, false]);
  });

  test('does not include a new client for an earlier statement', () => {
    const { reportLost, lost } = clientsOf(1, 11_001);
    reportLost(0.5);
    reportLost(2000);
    reportLost(10);
    expect(lost()).toEqual([true, false]);
  });
});
