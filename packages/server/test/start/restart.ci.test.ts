import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/storage/database.js';
import { addOwners, addRows } from '../support/databases/old-rows.js';
import { newSettings, startProcess } from '../support/processes/service-process.js';
import { rounds } from '../support/runner/rounds.js';
import { fetchReply } from '../support/service/application.js';

const ACCOUNTS = rounds(100_000);
const TICKS_PER_SECOND = 100;

/**
 * Returns the CPU time of a process in seconds. Other work on the machine does not change it, unlike the elapsed time.
 */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

test.skipIf(process.platform !== 'linux')(
  `F2: a restart with ${ACCOUNTS} accounts is ready after at most 10 s of CPU time`,
  async () => {
    const settings = await newSettings();
    await (await startProcess(settings)).kill();
    const { DATABASE_URL: url } = settings.env ?? {};
    const source = url === undefined ? { path: path.join(settings.data, 'svc.db') } : { url };
    const { database, close } = await openDatabase(source);
    await addOwners(database);
    await sql.raw(addRows('accounts', 1, ACCOUNTS)).execute(database);
    await close();

    const service = await startProcess(settings);
    onTestFinished(service.kill);
    expect((await fetchReply(`${service.url}/readyz`)).status).toBe(200);
    expect(processorSeconds(service.pid)).toBeLessThan(10);
  },
);
