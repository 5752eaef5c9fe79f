import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { newFolder } from '../../test/support/processes/new-folder.js';
import { openDatabase } from './database.js';
import { createStorage } from './storage.js';

async function openFile(waitMs?: number) {
  const file = path.join(newFolder(), 'svc.db');
  const { database, close } = await openDatabase({ path: file, ...(waitMs !== undefined && { waitMs }) });
  onTestFinished(close);
  const foreign = new Sqlite(file);
  onTestFinished(() => void foreign.close());
  const settings = createStorage(database).settings;
  return { database, settings, storage: createStorage(database), foreign };
}

/** Counts how often the event loop runs during the work, to check that the work does not block it. */
async function ticksDuring(work: Promise<unknown>): Promise<number> {
  let ticks = 0;
  let isOver = false;
  const count = () => {
    ticks += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work.catch(() => undefined);
  isOver = true;
  return ticks;
}

describe.skipIf(inject('postgres') !== undefined)('the SQLite driver', () => {
  test('F6: does not block the event loop during a long statement', async () => {
    const { database } = await openFile();
    const long = sql`with recursive counted (n) as (select 1 union all select n + 1 from counted where n < 500000)
      select count(*) from counted`;
    expect(await ticksDuring(long.execute(database))).toBeGreaterThan(100);
  });

  test('F6: reads and then writes in order while another process locks the file', async () => {
    const { settings, foreign } = await openFile();
    await settings.insertIfAbsent('colour', 'blue');
    foreign.exec('begin immediate');
    const values = ['one', 'two', 'three'].map((value) => settings.insertIfAbsent('first', value));
    let isWritten = false;
    const writes = Promise.all(values).then((values) => {
      isWritten = true;
      return values;
    });
    for (let reads = 0; reads < 50; reads += 1) expect(await settings.find('colour')).toBe('blue');
    expect(isWritten).toBe(false);
    foreign.exec('commit');
    expect(await writes).toEqual(['one', 'one', 'one']);
  });

  test('F6: fails writes as unavailable when another process locks the file too long', async () => {
    const { settings, storage, foreign } = await openFile(200);
    foreign.exec('begin immediate');
    const work = [
      settings.insertIfAbsent('a', 'b'),
      settings.insertIfAbsent('b', 'c'),
      storage.transaction(async (tables) => tables.settings.insertIfAbsent('c', 'd')),
    ];
    const outcomes = Promise.allSettled(work);
    expect(await ticksDuring(outcomes)).toBeGreaterThan(10);
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    }
    foreign.exec('commit');
    expect(await settings.insertIfAbsent('a', 'b')).toBe('b');
  });

  test('rolls back a failed transaction and begins the next one', async () => {
    const { storage } = await openFile();
    const failing = storage.transaction(async ({ settings }) => {
      await settings.insertIfAbsent('colour', 'blue');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await storage.settings.find('colour')).toBeUndefined();
    await storage.transaction(({ settings }) => settings.insertIfAbsent('colour', 'red'));
    expect(await storage.settings.find('colour')).toBe('red');
  });

  test('a transaction whose first statement fails makes room for the next one', async () => {
    const { database, settings } = await openFile();
    const failing = database.transaction().execute((own) => sql`select unknown_column`.execute(own));
    await expect(failing).rejects.toThrow();
    expect(await settings.insertIfAbsent('colour', 'red')).toBe('red');
  });

  test('a transaction that could not begin rolls back no other transaction', async () => {
    const { storage, foreign } = await openFile(0);
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    foreign.exec('begin immediate');
    const failing = storage.transaction(async ({ settings }) => {
      await expect(settings.insertIfAbsent('one', '1')).rejects.toMatchObject({ code: 'unavailable' });
      begun.resolve();
      await end.promise;
      throw new Error('no');
    });
    await begun.promise;
    foreign.exec('commit');
    await storage.transaction(async ({ settings }) => {
      await settings.insertIfAbsent('two', '2');
      end.resolve();
      await expect(failing).rejects.toThrow('no');
    });
    expect([await storage.settings.find('one'), await storage.settings.find('two')]).toEqual([
      undefined,
      '2',
    ]);
  });

  test('runs no other statement between the statements of a transaction', async () => {
    const { storage } = await openFile();
    await storage.settings.insertIfAbsent('count', '0');
    const add = () =>
      storage.transaction(async ({ settings }) => {
        const from = (await settings.find('count')) ?? '';
        expect(await settings.replace('count', { from, to: String(Number(from) + 1) })).toBe(true);
      });
    await Promise.all(Array.from({ length: 25 }, add));
    expect(await storage.settings.find('count')).toBe('25');
  });
});
