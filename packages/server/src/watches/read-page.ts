import { isDeepStrictEqual } from 'node:util';
import { at } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import type { Execute } from '../tools/execute.js';
import type { Poll } from './prepare-poll.js';
import { type ListedItem, readItems } from './read-items.js';
import { addedParts, pageInput, type ReadPage } from './watch-cursor.js';

/** Page of a watched list that is not compared with the stored items yet. */
export interface FetchedPage extends Pick<ReadPage, 'hasFailed' | 'next' | 'token'> {
  readonly items: readonly ListedItem[];
}

export interface ReadPageParts {
  readonly execute: Execute;
  /** Counts a poll's call in the rate limit of its account. Throws `rate_limited` if the limit is reached. */
  readonly countCall: (accountId: string) => void;
}

const noToken = () =>
  new ServiceError(
    'upstream_failed',
    'The list that this tool returns cannot be watched, because the last page has no sync token. Report this to the maintainer of the connector.',
  );

const samePage = () =>
  new ServiceError(
    'upstream_failed',
    'The list that this tool returns cannot be watched, because the upstream returns the same page again instead of the next page. Report this to the maintainer of the connector.',
  );

/** Creates the function that calls the watch's tool to read the next page. */
export function createReadPage({ execute, countCall }: ReadPageParts) {
  return async function readPage({ row, list, cursor }: Poll, signal: AbortSignal): Promise<FetchedPage> {
    const { applicationId, accountId, id, toolName } = row;
    const { data, nextInput } = await execute({
      applicationId,
      connectedAccountId: accountId,
      toolName,
      toolInput: pageInput(list, cursor),
      added: addedParts(list, cursor),
      requestId: id,
      onAccount: (account) => countCall(account.id),
      signal,
    });
    if (nextInput !== undefined && isDeepStrictEqual(nextInput, cursor.walk?.next)) throw samePage();
    const { failed, syncToken } = list.watch;
    const failures = failed === undefined ? undefined : at(data, failed);
    const token = syncToken === undefined ? undefined : at(data, syncToken.output);
    if (syncToken && nextInput === undefined && (typeof token !== 'string' || token === '')) throw noToken();
    return {
      items: readItems(list.watch, list.items, data),
      next: nextInput,
      hasFailed: Array.isArray(failures) && failures.length > 0,
      token: typeof token === 'string' ? token : undefined,
    };
  };
}

export type ReadPageOf = ReturnType<typeof createReadPage>;
