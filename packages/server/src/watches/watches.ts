import type { Catalog, JsonObject } from '@svc/catalog';
import { asksBefore } from '../connections/approval-policy.js';
import type { AccountReference, Resolve } from '../connections/resolve.js';
import { ServiceError, wrongField } from '../errors.js';
import { type Page, type PageRequest, pageSizeOf, readCursor, toPage } from '../page.js';
import { newId, type Random } from '../random.js';
import type { Commit } from '../records/commit.js';
import { secret } from '../secret.js';
import type { Storage, Tables } from '../storage/storage.js';
import type { WatchRow } from '../storage/watch-rows.js';
import type { WatchOf } from '../storage/watches-table.js';
import { canonicalJson } from '../text/canonical-json.js';
import { connectorOf, findCallerAccount, findTool } from '../tools/resolve-tool-call.js';
import type { Digest } from '../vault/pepper.js';
import type { Vault } from '../vault/vault.js';
import { sealCursor, watchPath } from './prepare-poll.js';
import { toWatch, type Watch } from './watch.js';
import { firstCursor } from './watch-cursor.js';
import { checkFirstPage, findWatchedList } from './watched-tool.js';

/** Settings of a new watch. */
export interface NewWatch extends AccountReference {
  readonly toolName: string;
  readonly toolInput: JsonObject;
  /** Seconds between two polls. */
  readonly every?: number;
  /** `start` reports the existing items too. Default: `now`. */
  readonly from?: 'now' | 'start';
}

export interface WatchSettings {
  readonly every?: number;
  readonly enabled?: boolean;
}

export interface WatchesParts {
  readonly storage: Pick<Storage, 'applications' | 'watches' | 'watchItems'>;
  readonly catalog: Catalog;
  readonly resolve: Resolve;
  readonly commit: Commit;
  readonly vault: Pick<Vault, 'open' | 'seal'>;
  readonly digest: Digest;
  readonly now: () => number;
  readonly random: Random;
}

export const MOST_WATCHES = 1000;
export const MOST_OF_ACCOUNT = 100;
const DEFAULT_EVERY = 300;
/** Minimum number of seconds between two polls for an application that is marked as production. */
const LEAST_EVERY = 60;
const DELETED_AT_ONCE = 500;

const watchNotFound = (id: string) =>
  new ServiceError('not_found', `There is no watch "${id}". GET /v1/watches lists the watches.`);

const tooMany = (most: number, subject: string) =>
  new ServiceError(
    'conflict',
    `${subject} has ${most} watches, the maximum. Delete a watch that you no longer use.`,
  );

const needsApproval = (toolName: string) =>
  new ServiceError(
    'conflict',
    `Calls of "${toolName}" need approval, so it cannot be watched. Change \`approve\` of the connection.`,
  );

/** Throws conflict if there are too many watches. Locks the application, because calls may run at once. */
async function checkCount({ watches }: Tables, { applicationId, accountId }: WatchRow): Promise<void> {
  const { all, ofAccount } = await watches.count(applicationId, accountId);
  if (all >= MOST_WATCHES) throw tooMany(MOST_WATCHES, 'The application');
  if (ofAccount >= MOST_OF_ACCOUNT) throw tooMany(MOST_OF_ACCOUNT, 'The account');
}

/** Creates the operations on an application's watches. */
export function createWatches(parts: WatchesParts) {
  const { storage, catalog, resolve, commit, vault, digest, now, random } = parts;
  let onDue: () => void = () => undefined;

  async function show(row: WatchOf): Promise<Watch> {
    const { reveal } = await vault.open(watchPath(row, 'input'), row.input);
    return toWatch(row, JSON.parse(reveal()));
  }

  async function find(applicationId: string, id: string): Promise<WatchOf> {
    const row = await storage.watches.find(applicationId, id);
    if (row) return row;
    throw watchNotFound(id);
  }

  async function checkEvery(applicationId: string, every: number): Promise<void> {
    const application = await storage.applications.find(applicationId);
    if (application?.production === 1 && every < LEAST_EVERY)
      throw wrongField(
        'every',
        `every must be at least ${LEAST_EVERY} seconds for an application in production.`,
      );
  }

  async function toRow(
    applicationId: string,
    { toolName, toolInput, every, from, ...reference }: NewWatch,
  ): Promise<WatchRow> {
    const tool = findTool(catalog, toolName);
    const account = await findCallerAccount(resolve, { ...reference, applicationId });
    connectorOf(catalog, tool, account);
    const list = findWatchedList(catalog, tool, toolInput);
    checkFirstPage(catalog, tool, list, now());
    if (asksBefore(account.approve, tool)) throw needsApproval(toolName);
    const time = now();
    const key = { applicationId, id: newId('watch', random) };
    const isFromStart = from === 'start';
    return {
      ...key,
      accountId: account.id,
      toolName,
      watchKey: digest('watch', canonicalJson([account.id, toolName, toolInput])),
      every: every ?? DEFAULT_EVERY,
      enabled: 1,
      state: 'starting',
      reason: null,
      input: await vault.seal(watchPath(key, 'input'), secret(JSON.stringify(toolInput))),
      cursor: await sealCursor(vault, key, firstCursor(list.watch, time, isFromStart)),
      walk: 0,
      failures: 0,
      nextAt: time,
      claim: null,
      startedAt: isFromStart ? time : null,
      polledAt: null,
      createdAt: time,
      updatedAt: time,
    };
  }

  /** Returns the watch of the same account, tool and input if it exists, with its new interval. */
  async function create(
    applicationId: string,
    input: NewWatch,
  ): Promise<{ readonly watch: Watch; readonly isNew: boolean }> {
    await checkEvery(applicationId, input.every ?? DEFAULT_EVERY);
    const row = await toRow(applicationId, input);
    const { toolName: reason } = row;
    const same = await commit(async (tables, recordEvent) => {
      await tables.applications.lock(applicationId);
      const stored = await tables.watches.findByKey(applicationId, row.watchKey);
      if (stored) return stored;
      await checkCount(tables, row);
      await tables.watches.insert(row);
      recordEvent({ action: 'watch.created', applicationId, object: row.id, reason });
      return undefined;
    });
    onDue();
    if (same === undefined) return { watch: await show(await find(applicationId, row.id)), isNew: true };
    const isOther = input.every !== undefined && input.every !== same.every;
    const watch = isOther ? await update(applicationId, same.id, { every: row.every }) : await show(same);
    return { watch, isNew: false };
  }

  /** Changes a watch. An enabled one continues at its position, also after a failure. */
  async function update(applicationId: string, id: string, settings: WatchSettings): Promise<Watch> {
    const { every, enabled } = settings;
    if (every !== undefined) await checkEvery(applicationId, every);
    const row = await find(applicationId, id);
    const isEnabled = enabled ?? row.enabled === 1;
    const isRunning = isEnabled && (enabled === true || row.state !== 'failed');
    const restart = row.startedAt === null ? 'starting' : 'watching';
    await commit(async (tables, recordEvent) => {
      const isChanged = await tables.watches.change(
        { applicationId, id },
        {
          ...(every !== undefined && { every }),
          enabled: Number(isEnabled),
          ...(enabled === true && row.state === 'failed' && { state: restart, reason: null, failures: 0 }),
          // A running poll loses its claim, and the page that it reads is read again.
          claim: null,
          nextAt: isRunning ? now() : null,
          updatedAt: now(),
        },
      );
      if (!isChanged) throw watchNotFound(id);
      recordEvent({
        action: 'watch.changed',
        applicationId,
        object: id,
        reason: Object.keys(settings).join(),
      });
    });
    onDue();
    return show(await find(applicationId, id));
  }

  /** Stops a watch, deletes its items in small statements, and then deletes the watch. */
  async function remove(applicationId: string, id: string): Promise<void> {
    const { toolName: reason } = await find(applicationId, id);
    await storage.watches.change({ applicationId, id }, { enabled: 0, claim: null, nextAt: null });
    while (await storage.watchItems.deleteSome({ applicationId, watchId: id }, DELETED_AT_ONCE));
    await commit(async ({ watches }, recordEvent) => {
      if (!(await watches.delete({ applicationId, id }))) throw watchNotFound(id);
      recordEvent({ action: 'watch.deleted', applicationId, object: id, reason });
    });
  }

  async function list(
    applicationId: string,
    { accountId, ...page }: PageRequest & { readonly accountId?: string },
  ): Promise<Page<Watch>> {
    const cursor = readCursor(page);
    const rows = await storage.watches.list(applicationId, {
      accountId,
      before: cursor && { createdAt: cursor.at, id: cursor.id },
      limit: pageSizeOf(page) + 1,
    });
    const { items, ...rest } = toPage(rows, page, {
      keys: ({ createdAt, id }) => [String(createdAt), id],
      item: show,
    });
    return { ...rest, items: await Promise.all(items) };
  }

  return {
    create,
    list,
    get: async (applicationId: string, id: string): Promise<Watch> => show(await find(applicationId, id)),
    update,
    delete: remove,
    /** Sets the function that is called when a watch may be due. */
    listen: (listener: () => void): void => {
      onDue = listener;
    },
  };
}

export type Watches = ReturnType<typeof createWatches>;
