/**
 * Part of the service that writes events and delivers them to webhook endpoints. Runs in a separate process. The
 * benchmark writes events directly, because an HTTP request that causes an event costs much more than the event.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createEvents } from '../../server/src/assembly/events.ts';
import { openParts, type Parts } from '../../server/src/assembly/parts.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { newSigningSecret, sealSecret } from '../../server/src/events/endpoint-secrets.ts';
import type { Log } from '../../server/src/log/log.ts';
import type { WebhookEndpointRow } from '../../server/src/storage/event-rows.ts';
import { newId } from '../../server/src/text/random.ts';
import { handleJobs } from './job-process.ts';

export type EventJob =
  | { readonly kind: 'open'; readonly env: Readonly<Record<string, string>> }
  /** Creates applications, each with one webhook endpoint per URL. */
  | { readonly kind: 'seed'; readonly applications: number; readonly urls: readonly string[] }
  /** Writes events for the applications in rotation, each event in a separate transaction. */
  | {
      readonly kind: 'write';
      readonly applicationIds: readonly string[];
      readonly count: number;
      /** Maximum number of events to write per second. */
      readonly perSecond: number;
    }
  | { readonly kind: 'close' };

/** Ids of the applications that a `seed` job created. Empty for other jobs. */
export type EventJobResult = readonly string[];

/** Number of concurrent transactions that write events, as if several callers sent requests. */
const WRITERS = 16;
const SEEDED_AT_ONCE = 100;

const printError = (message: string, error?: unknown): void =>
  void process.stderr.write(`${message} ${error instanceof Error ? error.stack : ''}\n`);

const log: Log = {
  info: () => undefined,
  debug: () => undefined,
  warn: (message) => printError(message),
  request: () => undefined,
  fault: printError,
  flush: () => undefined,
};

let parts: Parts | undefined;
let running: { readonly close: () => Promise<void> } | undefined;

async function open(env: Readonly<Record<string, string>>): Promise<Parts> {
  const config = readConfig([], env);
  const opened = await openParts({ config });
  running = createEvents(opened, { log }).start();
  return opened;
}

async function toEndpoint(
  { core, now }: Parts,
  applicationId: string,
  url: string,
): Promise<WebhookEndpointRow> {
  const key = { applicationId, id: newId('ep', randomBytes) };
  const value = newSigningSecret(randomBytes);
  return {
    ...key,
    url,
    description: null,
    types: '["account.deleted"]',
    connectionName: null,
    ordered: 0,
    enabled: 1,
    enabledSince: now(),
    disabledReason: null,
    secret: await sealSecret(core.vault, key, { column: 'secret', value }),
    previousSecret: null,
    previousSecretUntil: null,
    failingSince: null,
    createdAt: now(),
    updatedAt: now(),
  };
}

async function addApplication(own: Parts, urls: readonly string[]): Promise<string> {
  const { storage, now } = own;
  const id = newId('app', randomBytes);
  await storage.applications.insert({
    id,
    name: id,
    production: 0,
    verifyUrl: null,
    redirectUrls: '[]',
    logo: null,
    color: null,
    allowTokenImport: 0,
    createdAt: now(),
  });
  const rows = await Promise.all(urls.map((url) => toEndpoint(own, id, url)));
  await storage.transaction(async ({ webhookEndpoints }) => {
    for (const row of rows) await webhookEndpoints.insert(row);
  });
  return id;
}

async function seed(own: Parts, applications: number, urls: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = [];
  while (ids.length < applications) {
    const length = Math.min(SEEDED_AT_ONCE, applications - ids.length);
    ids.push(...(await Promise.all(Array.from({ length }, () => addApplication(own, urls)))));
  }
  return ids;
}

async function writeEvent({ core }: Parts, applicationId: string): Promise<void> {
  const object = newId('acct', randomBytes);
  const deleted = { connectionName: 'mail', identifier: object };
  await core.commit(async (_, audit) => audit({ action: 'account.deleted', applicationId, object, deleted }));
}

async function write(
  own: Parts,
  { applicationIds, count, perSecond }: Extract<EventJob, { kind: 'write' }>,
): Promise<void> {
  const startedAt = performance.now();
  let begun = 0;
  async function writeSome(): Promise<void> {
    for (let index = begun++; index < count; index = begun++) {
      await wait(Math.max(0, startedAt + (index * 1000) / perSecond - performance.now()));
      await writeEvent(own, applicationIds[index % applicationIds.length] ?? '');
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, writeSome));
}

handleJobs(async (job: EventJob): Promise<EventJobResult> => {
  if (job.kind === 'open') parts = await open(job.env);
  if (parts === undefined)
    throw new Error('The first job must open the storage. This is a bug of the bench.');
  if (job.kind === 'seed') return seed(parts, job.applications, job.urls);
  if (job.kind === 'write') await write(parts, job);
  if (job.kind === 'close') {
    await running?.close();
    await parts.close();
  }
  return [];
});
