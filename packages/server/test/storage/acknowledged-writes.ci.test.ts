import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GatedService, startGatedService } from '../support/processes/gated-service.js';
import { rounds } from '../support/runner/rounds.js';
import { connectAccount } from '../support/service/service.js';

const PATH = '/users/me/calendarList';

let service: GatedService;
beforeAll(async () => {
  service = await startGatedService(['calendar']);
});
afterAll(() => service.stop());

const WRITERS = 8;
const KILLED_AFTER = 24;
// Number of kills per database. `npm run test:full` kills 200 times: 100 on SQLite and 100 on PostgreSQL.
const KILLS = rounds(100);

/** A request, and its response if one arrived before the process was killed. */
interface Write {
  readonly key: string;
  readonly path: string;
  readonly body: object;
  reply?: string;
}

const send = ({ key, path, body }: Write) =>
  service.application.call('POST', path, { body, headers: { 'idempotency-key': key } });

/** Counts the tool requests that reached the upstream. A repeated call must not increase this number. */
const countEffects = () => service.gate.exchanges.filter(({ path }) => path.endsWith(PATH)).length;

/** Creates connections and calls the upstream until the process is killed. Returns every request with its response. */
async function writeUntilKilled(round: number, connectedAccountId: string): Promise<readonly Write[]> {
  const history: Write[] = [];
  const { promise: isKilled, resolve: kill } = Promise.withResolvers<void>();
  let acknowledged = 0;

  /** Sends a request and records it with its response. Returns true if the process responded. */
  async function write(given: Omit<Write, 'key'>): Promise<boolean> {
    const entry: Write = { ...given, key: `key-${round}-${history.length}` };
    history.push(entry);
    const reply = await send(entry).catch(() => undefined);
    if (reply === undefined) return false;
    expect(reply.status, reply.text).toBeLessThan(300);
    entry.reply = reply.text;
    acknowledged += 1;
    if (acknowledged === KILLED_AFTER) kill();
    return true;
  }

  async function writer(name: string): Promise<void> {
    const execute = {
      path: '/v1/tools/calendar_list_calendars/execute',
      body: { connectedAccountId, toolInput: {} },
    };
    for (let number = 0; ; number += 1) {
      const connection = { connectionName: `${name}-${number}`, connector: 'calendar' };
      if (!(await write({ path: '/v1/connections', body: connection }))) return;
      if (!(await write(execute))) return;
    }
  }

  const writers = Array.from({ length: WRITERS }, (_, index) => writer(`round-${round}-${index}`));
  await Promise.all([isKilled.then(service.crash), ...writers]);
  return history;
}

test(`F1: ${KILLS} kills under load lose no acknowledged write and repeat no effect`, async () => {
  const { id } = await connectAccount(service, 'calendar', 'history');
  for (let round = 0; round < KILLS; round += 1) {
    const history = await writeUntilKilled(round, id);
    const acknowledged = history.filter(({ reply }) => reply !== undefined);
    expect(acknowledged.length).toBeGreaterThanOrEqual(KILLED_AFTER);

    const effects = countEffects();
    const repeated = await Promise.all(acknowledged.map(send));
    expect(repeated.map(({ text }) => text)).toEqual(acknowledged.map(({ reply }) => reply));
    expect(countEffects()).toBe(effects);

    const made = acknowledged.flatMap(({ body }) => ('connectionName' in body ? [body.connectionName] : []));
    const reads = await Promise.all(
      made.map((name) => service.application.call('GET', `/v1/connections/${name}`)),
    );
    expect(reads.map(({ status }) => status)).toEqual(made.map(() => 200));
  }
}, 1_800_000);
