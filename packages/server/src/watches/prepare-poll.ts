import { type Catalog, type ErrorRule, type JsonObject, parseJson } from '@svc/catalog';
import { secret } from '../secret.js';
import type { Storage } from '../storage/storage.js';
import type { WatchRow } from '../storage/watch-rows.js';
import type { WatchOf } from '../storage/watches-table.js';
import { findTool } from '../tools/resolve-tool-call.js';
import type { SecretLocation, Vault } from '../vault/vault.js';
import type { WatchCursor, WatchedList } from './watch-cursor.js';
import { findWatchedList } from './watched-tool.js';

/** Poll that this process is running, with the watch's decrypted position in the list. */
export interface Poll {
  readonly row: WatchOf;
  readonly list: WatchedList;
  readonly cursor: WatchCursor;
  /** Number of times that the watch has begun to read the complete list. */
  readonly walk: number;
  /** Error rules of the connector, which classify the upstream's error responses. */
  readonly rules: readonly ErrorRule[];
}

export interface PreparePollParts {
  readonly storage: Pick<Storage, 'accounts' | 'watches'>;
  readonly catalog: Pick<Catalog, 'tools' | 'connectors'>;
  readonly vault: Pick<Vault, 'open'>;
}

export const watchLocation = (
  { applicationId, id }: Pick<WatchRow, 'applicationId' | 'id'>,
  column: 'input' | 'cursor',
): SecretLocation => ({ applicationId, table: 'watches', rowId: id, column });

/** Encrypts a watch's position in its list. */
export const sealCursor = (
  vault: Pick<Vault, 'seal'>,
  row: Pick<WatchRow, 'applicationId' | 'id'>,
  cursor: WatchCursor,
): Promise<string> => vault.seal(watchLocation(row, 'cursor'), secret(JSON.stringify(cursor)));

/**
 * Creates the functions that read the account and the other data for a poll. `prepare` throws if the watch cannot
 * continue, for example because its tool no longer exists.
 */
export function createPreparePoll({ storage, catalog, vault }: PreparePollParts) {
  async function open<Value>(row: WatchRow, column: 'input' | 'cursor'): Promise<Value> {
    const { reveal } = await vault.open(watchLocation(row, column), row[column] ?? '');
    // The cast is safe, because only the service itself writes this column.
    return parseJson(reveal()) as Value;
  }

  /** Resolves to true if the watch's account is currently authorized, and to `undefined` if the account was deleted. */
  async function isAuthorized({ applicationId, accountId }: WatchRow): Promise<boolean | undefined> {
    const account = await storage.accounts.find(applicationId, accountId);
    return account && account.status === 'authorized';
  }

  async function prepare(row: WatchOf): Promise<Poll> {
    const tool = findTool(catalog as Catalog, row.toolName);
    return {
      row,
      list: findWatchedList(catalog, tool, await open<JsonObject>(row, 'input')),
      cursor: row.cursor === null ? {} : await open<WatchCursor>(row, 'cursor'),
      walk: row.walk,
      rules: catalog.connectors.get(tool.connector)?.errors ?? [],
    };
  }

  return { isAuthorized, prepare };
}

export type PreparePoll = ReturnType<typeof createPreparePoll>;
