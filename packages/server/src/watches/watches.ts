import { type JsonObject, parseJson } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { type Page, type PageRequest, pageSizeOf, readCursor, toPage } from '../page.js';
import type { Storage } from '../storage/storage.js';
import type { WatchOf } from '../storage/watches-table.js';
import { isUnreadable } from '../vault/ciphertext.js';
import type { Vault } from '../vault/vault.js';
import {
  type CreateWatchParts,
  createCheckEvery,
  createCreateWatch,
  DEFAULT_EVERY,
  type NewWatch,
} from './create-watch.js';
import { lockWatch } from './lock-watch.js';
import { watchLocation } from './prepare-poll.js';
import { toWatch, type Watch } from './watch.js';

export interface WatchSettings {
  readonly every?: number;
  readonly enabled?: boolean;
}

export interface WatchesParts extends CreateWatchParts {
  readonly storage: Pick<Storage, 'applications' | 'watches' | 'watchItems'>;
  readonly vault: Pick<Vault, 'open' | 'seal'>;
}

const DELETED_AT_ONCE = 500;
/** Reason why a watch has failed, if its tool input cannot be decrypted. */
const UNREADABLE = 'input_unreadable';

const watchNotFound = (id: string) =>
  new ServiceError('not_found', `There is no watch "${id}". GET /v1/watches lists the watches.`);

/** Creates the operations on an application's watches. A watch polls a list at an upstream and reports changes. */
export function createWatches(parts: WatchesParts) {
  const { storage, commit, vault, now } = parts;
  const checkEvery = createCheckEvery(storage);
  const createWatch = createCreateWatch(parts);
  let onDue: () => void = () => undefined;

  /**
   * Returns a watch as the API returns it. Returns a watch that cannot be decrypted too, so that an application can
   * delete it.
   */
  async function show(row: WatchOf): Promise<Watch> {
    try {
      const { reveal } = await vault.open(watchLocation(row, 'input'), row.input);
      return toWatch(row, parseJson(reveal()) as JsonObject);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      return toWatch({ ...row, state: 'failed', reason: UNREADABLE, nextAt: null }, {});
    }
  }

  async function find(applicationId: string, id: string): Promise<WatchOf> {
    const row = await storage.watches.find(applicationId, id);
    if (row) return row;
    throw watchNotFound(id);
  }

  /**
   * Creates a watch. If the account already has a watch with the same tool and input, returns that watch with the new
   * interval.
   */
  async function create(
    applicationId: string,
    input: NewWatch,
  ): Promise<{ readonly watch: Watch; readonly isNew: boolean }> {
    const { every = DEFAULT_EVERY } = input;
    await checkEvery(applicationId, every);
    const { id, same } = await createWatch(applicationId, input);
    onDue();
    if (same === undefined) return { watch: await show(await find(applicationId, id)), isNew: true };
    const isOther = input.every !== undefined && every !== same.every;
    return {
      watch: isOther ? await update(applicationId, same.id, { every }) : await show(same),
      isNew: false,
    };
  }

  /**
   * Changes the settings of a watch. A watch that is enabled again continues at its last position in the list. Throws
   * `conflict` if `ifMatch` is not the watch's ETag.
   */
  async function update(
    applicationId: string,
    id: string,
    settings: WatchSettings,
    ifMatch?: string,
  ): Promise<Watch> {
    const { every, enabled } = settings;
    if (every !== undefined) await checkEvery(applicationId, every);
    await commit(async (tables, audit) => {
      const row = await lockWatch(tables, { applicationId, id }, ifMatch);
      if (row === undefined) throw watchNotFound(id);
      const isEnabled = enabled ?? row.enabled === 1;
      const isRunning = isEnabled && (enabled === true || row.state !== 'failed');
      const restart = row.startedAt === null ? 'starting' : 'watching';
      await tables.watches.change(
        { applicationId, id },
        {
          ...(every !== undefined && { every }),
          enabled: Number(isEnabled),
          ...(enabled === true && row.state === 'failed' && { state: restart, reason: null, failures: 0 }),
          // Removes the claim, so that a poll that is running now cannot store its page. The next poll reads that page
          // again.
          claim: null,
          nextAt: isRunning ? now() : null,
          updatedAt: now(),
        },
      );
      audit({
        action: 'watch.changed',
        applicationId,
        object: id,
        reason: Object.keys(settings).join(),
      });
    });
    onDue();
    return show(await find(applicationId, id));
  }

  /** Stops a watch, deletes its stored items in batches, and then deletes the watch. */
  async function remove(applicationId: string, id: string): Promise<void> {
    const { toolName: reason } = await find(applicationId, id);
    await storage.watches.change({ applicationId, id }, { enabled: 0, claim: null, nextAt: null });
    while (await storage.watchItems.deleteSome({ applicationId, watchId: id }, DELETED_AT_ONCE));
    await commit(async ({ watches }, audit) => {
      if (!(await watches.delete({ applicationId, id }))) throw watchNotFound(id);
      audit({ action: 'watch.deleted', applicationId, object: id, reason });
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
    /** Sets the callback that runs after a watch was created or changed, because the watch may be due immediately. */
    listen: (listener: () => void): void => {
      onDue = listener;
    },
  };
}

export type Watches = ReturnType<typeof createWatches>;
