import type { Catalog, JsonObject } from '@svc/catalog';
import { policyNeedsApproval } from '../connections/approval-policy.js';
import type { AccountReference, Resolve } from '../connections/resolve.js';
import { ServiceError, wrongField } from '../errors.js';
import type { Commit } from '../records/commit.js';
import { secret } from '../secret.js';
import type { Storage, Tables } from '../storage/storage.js';
import type { WatchRow } from '../storage/watch-rows.js';
import type { WatchOf } from '../storage/watches-table.js';
import { canonicalJson } from '../text/canonical-json.js';
import { newId, type Random } from '../text/random.js';
import { connectorOf, findCallerAccount, findTool } from '../tools/resolve-tool-call.js';
import type { Digest } from '../vault/pepper.js';
import type { Vault } from '../vault/vault.js';
import { sealCursor, watchLocation } from './prepare-poll.js';
import { firstCursor } from './watch-cursor.js';
import { findWatchedList, withDefaults } from './watched-tool.js';

/** Input for creating a watch. A watch polls a list tool of an account and reports changed items. */
export interface NewWatch extends AccountReference {
  readonly toolName: string;
  readonly toolInput: JsonObject;
  /** Interval between two polls of the list, in seconds. Default: `DEFAULT_EVERY`. */
  readonly every?: number;
  /**
   * Time from which items are reported. `start`: the watch also reports items that already exist. `now`, the default:
   * it reports only later changes.
   */
  readonly from?: 'now' | 'start';
}

export interface CreateWatchParts {
  readonly catalog: Catalog;
  readonly resolve: Resolve;
  readonly commit: Commit;
  readonly vault: Pick<Vault, 'seal'>;
  readonly digest: Digest;
  readonly now: () => number;
  readonly random: Random;
}

export const MAX_WATCHES = 1000;
export const MAX_PER_ACCOUNT = 100;
export const DEFAULT_EVERY = 300;
/** Minimum interval between two polls, in seconds, for an application that is marked as production. */
const MIN_EVERY_SECONDS = 60;

/**
 * Maximum size in bytes of a watch's tool input as JSON. It is limited, because the API's lists of watches contain the
 * inputs.
 */
const MAX_INPUT_BYTES = 16 * 1024;

const tooMany = (most: number, subject: string) =>
  new ServiceError(
    'conflict',
    `${subject} already has the maximum of ${most} watches. Delete a watch that you no longer use.`,
  );

/**
 * Creates the error for a tool whose calls need a person's approval. A watch cannot poll such a tool, because nobody
 * could approve the polls.
 */
export const cannotWatch = (toolName: string) =>
  new ServiceError(
    'conflict',
    `The tool "${toolName}" cannot be watched, because its calls need approval. Change \`approve\` of the connection, so that calls of this tool need no approval.`,
    { reason: 'approval_required' },
  );

/**
 * Throws `conflict` if the application or the account has the maximum number of watches. The caller must have locked
 * the application's row, so that concurrent requests cannot exceed the maximum.
 */
async function checkCount({ watches }: Tables, { applicationId, accountId }: WatchRow): Promise<void> {
  const { all, ofAccount } = await watches.count(applicationId, accountId);
  if (all >= MAX_WATCHES) throw tooMany(MAX_WATCHES, 'The application');
  if (ofAccount >= MAX_PER_ACCOUNT) throw tooMany(MAX_PER_ACCOUNT, 'The account');
}

/**
 * Creates the function that checks the interval between two polls. It throws `invalid_request` if an application in
 * production would poll too often.
 */
export const createCheckEvery = ({ applications }: Pick<Storage, 'applications'>) =>
  async function checkEvery(applicationId: string, every: number): Promise<void> {
    const application = await applications.find(applicationId);
    if (application?.production === 1 && every < MIN_EVERY_SECONDS)
      throw wrongField(
        'every',
        `"every" must be at least ${MIN_EVERY_SECONDS} seconds, because the application is marked production.`,
      );
  };

/** Returns a watch's tool input as JSON. Throws `invalid_request` if it is too large. */
function toJson(toolInput: JsonObject): string {
  const text = JSON.stringify(toolInput);
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_INPUT_BYTES) return text;
  throw wrongField(
    'toolInput',
    `"toolInput" has ${bytes} bytes as JSON. Send at most ${MAX_INPUT_BYTES} bytes.`,
  );
}

/** Creates the function that stores a new watch. */
export function createCreateWatch(parts: CreateWatchParts) {
  const { catalog, resolve, commit, vault, digest, now, random } = parts;

  const keyOf = (accountId: string, toolName: string, input: JsonObject) =>
    digest('watch', canonicalJson([accountId, toolName, input]));

  async function toRow(
    applicationId: string,
    { toolName, toolInput, every, from, ...reference }: NewWatch,
  ): Promise<WatchRow> {
    const tool = findTool(catalog, toolName);
    const inputText = toJson(toolInput);
    const account = await findCallerAccount(resolve, { ...reference, applicationId }, tool);
    connectorOf(catalog, tool, { account, caller: reference });
    const list = findWatchedList(catalog, tool, toolInput);
    const wholeInput = withDefaults(catalog, tool, list, now());
    if (policyNeedsApproval(account, tool)) throw cannotWatch(toolName);
    const time = now();
    const key = { applicationId, id: newId('watch', random) };
    const isFromStart = from === 'start';
    return {
      ...key,
      accountId: account.id,
      toolName,
      watchKey: keyOf(account.id, toolName, wholeInput),
      every: every ?? DEFAULT_EVERY,
      enabled: 1,
      state: 'starting',
      reason: null,
      input: await vault.seal(watchLocation(key, 'input'), secret(inputText)),
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

  /**
   * Stores a new watch. If the account already has a watch with the same tool and input, stores nothing and returns the
   * existing watch as `same`.
   */
  return async function createWatch(
    applicationId: string,
    input: NewWatch,
  ): Promise<{ readonly id: string; readonly same: WatchOf | undefined }> {
    const row = await toRow(applicationId, input);
    const { id, accountId, toolName: reason } = row;
    // Finds watches that version 1.1.0 or earlier created, because these versions computed the key from the input
    // without defaults.
    const formerKey = keyOf(accountId, input.toolName, input.toolInput);
    const same = await commit(async (tables, audit) => {
      await tables.applications.lock(applicationId);
      const stored =
        (await tables.watches.findByKey(applicationId, row.watchKey)) ??
        (await tables.watches.findByKey(applicationId, formerKey));
      if (stored) return stored;
      await checkCount(tables, row);
      await tables.watches.insert(row);
      audit({ action: 'watch.created', applicationId, object: id, reason });
      return undefined;
    });
    return { id, same };
  };
}
