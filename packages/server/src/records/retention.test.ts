import { sql } from 'kysely';
import { describe, expect, inject, test, vi } from 'vitest';
import { addExecutions } from '../../test/support/databases/add-executions.js';
import { addOwnersOfAged, agedTables } from '../../test/support/databases/aged-rows.js';
import { AGENT_SIGN_IN } from '../../test/support/databases/sample-rows.js';
import { addApplication, createServiceParts } from '../../test/support/service/service-parts.js';
import { agesOf, createRetention } from './retention.js';

const DAYS = { executions: 14, audit: 400, ended: 1, unused: 90 };
const AGES = agesOf(DAYS);
const KIND = inject('postgres') === undefined ? 'sqlite' : 'postgres';

async function createRows() {
  const parts = await createServiceParts();
  await addOwnersOfAged(parts.database);
  const { storage, clock } = parts;
  const retention = createRetention({ storage, ages: AGES, now: clock.now, wait: async () => undefined });
  const keysOf = async (table: string, key: string): Promise<readonly unknown[]> => {
    const { rows } = await sql<{
      key: unknown;
    }>`select ${sql.ref(key)} as key from ${sql.table(table)}`.execute(parts.database);
    return rows.map((row) => row.key);
  };
  return { ...parts, retention, keysOf };
}

describe('F5: the retention of stored rows', () => {
  test.each(agedTables(KIND))('deletes $title after their age, and not before', async (aged) => {
    const { table, key, age, afterMs, add } = aged;
    const { database, clock, retention, keysOf } = await createRows();
    const stored = await keysOf(table, key);
    const end = clock.now() - (age ? AGES[age] : 0) - afterMs;
    for (let n = 0; n < 3; n += 1) await add(database, `old${n}`, end - n);
    await add(database, 'young', end + 1);
    await retention.run();
    const left = (await keysOf(table, key)).filter((each) => !stored.includes(each));
    expect(left).toEqual([expect.stringContaining('young')]);
    clock.advance(60_000);
    await retention.run();
    expect((await keysOf(table, key)).filter((each) => !stored.includes(each))).toEqual([]);
  });

  test('keeps a client registration that an account, a flow or a consent uses', async () => {
    const { database, clock, retention, keysOf } = await createRows();
    const add = agedTables(KIND).find(
      ({ title }) => title === 'client registrations that no account uses',
    )?.add;
    for (const n of ['used', 'unused']) await add?.(database, n, clock.now() - AGES.unused);
    await retention.run();
    expect(await keysOf('client_registrations', 'id')).toEqual(['client_used']);
  });

  test('keeps a used code for a day and an unfinished sign-in for an hour', async () => {
    const { storage, clock, retention } = await createRows();
    const applicationId = 'app_1';
    const isKnown = async (code: string) =>
      (await storage.agentSignIns.findCode(applicationId, code)) !== undefined;
    for (const code of ['taken', 'left']) {
      const digests = { ticketDigest: code, codeDigest: code };
      const expiresAt = clock.now() + 60_000;
      await storage.agentSignIns.insert({ ...AGENT_SIGN_IN, ...digests, id: code, applicationId, expiresAt });
    }
    await storage.agentSignIns.takeCode({ applicationId, codeDigest: 'taken', now: clock.now() }, 'grant_1');
    clock.advance(2 * 3_600_000);
    await retention.run();
    expect([await isKnown('taken'), await isKnown('left')]).toEqual([true, false]);
    clock.advance(24 * 3_600_000);
    await retention.run();
    expect(await isKnown('taken')).toBe(false);
  });

  test('deletes executions of several applications in any number', async () => {
    const { storage, clock, retention, keysOf, ...parts } = await createRows();
    const others = [
      await addApplication({ storage, clock, ...parts }, 'B'),
      await addApplication({ storage, clock, ...parts }, 'C'),
    ];
    for (const owner of others) await addExecutions(storage, owner, 1600);
    clock.advance(AGES.executions + 1499);
    await retention.run();
    expect(await keysOf('executions', 'id')).toHaveLength(2 * 100);
  });
});

test('L1: audit events within their retention cannot be deleted', async () => {
  const { database, clock, retention, keysOf } = await createRows();
  const audit = agedTables(KIND).find(({ table }) => table === 'audit_events');
  const [old, young] = [clock.now() - AGES.audit, clock.now() - AGES.audit + 1];
  await audit?.add(database, 'old', old);
  await audit?.add(database, 'young', young);
  const attempt = () => sql`delete from audit_events`.execute(database);
  await expect(attempt()).rejects.toThrow();
  await retention.run();
  await expect(attempt()).rejects.toThrow();
  await expect(sql`update audit_events set at = 1`.execute(database)).rejects.toThrow();
  expect(await keysOf('audit_events', 'id')).toEqual(['audit_young']);
});

test('F5: one instance deletes at a time, and another one takes over when it ends', async () => {
  const { storage, clock, database } = await createRows();
  const sessions = agedTables(KIND).find(({ table }) => table === 'operator_sessions');
  await sessions?.add(database, 'old', 1);
  const options = { storage, ages: AGES, now: clock.now, wait: async () => undefined };
  const [one, other] = [createRetention(options), createRetention(options)];
  const deleting = vi.spyOn(storage.expiredRows, 'deleteOldest').mockRejectedValueOnce(new Error('killed'));
  await expect(one.run()).rejects.toThrow('killed');
  deleting.mockClear();
  await other.run();
  expect(deleting).not.toHaveBeenCalled();
  clock.advance(50_000);
  await other.run();
  expect(deleting).toHaveBeenCalled();
});

test('F5: a wrong clock in the past does not stop deletion forever', async () => {
  const { storage, clock } = await createRows();
  const ahead = { storage, ages: AGES, now: () => clock.now() + 1e12, wait: async () => undefined };
  await createRetention(ahead).run();
  const deleting = vi.spyOn(storage.expiredRows, 'deleteOldest');
  await createRetention({ ...ahead, now: clock.now }).run();
  expect(deleting).toHaveBeenCalled();
});

test('F2: deletion ends after its current statement when the service stops', async () => {
  const { storage, clock, ...parts } = await createRows();
  const owner = await addApplication({ storage, clock, ...parts }, 'B');
  await addExecutions(storage, owner, 1500);
  clock.advance(2 * AGES.executions);
  const deleting = vi.spyOn(storage.expiredRows, 'deleteOldestExecutions');
  const retention = createRetention({
    storage,
    ages: AGES,
    now: clock.now,
    wait: async () => retention.stop(),
  });
  await retention.run();
  expect(deleting).toHaveBeenCalledTimes(1);
});
