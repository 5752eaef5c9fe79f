import type { ExecutionRow } from '../storage/schema.js';
import type { Storage } from '../storage/storage.js';
import type { AccountCache } from './account-cache.js';
import type { ResolvedAccount } from './resolved-account.js';

interface NoteSuccessParts {
  readonly storage: Pick<Storage, 'accounts'>;
  readonly cache: Pick<AccountCache, 'drop'>;
}

type Result = Pick<ExecutionRow, 'status' | 'errorCode' | 'upstreamStatus'>;

/** Returns true if the upstream accepted the call. A success without an upstream response proves no secret. */
const isAccepted = ({ status, errorCode, upstreamStatus }: Result): boolean =>
  errorCode === null && status < 400 && upstreamStatus !== null;

/** Creates the function that marks an untested key as tested when a call with the key succeeds. */
export function createNoteSuccess({ storage, cache }: NoteSuccessParts) {
  const running = new Set<string>();
  return function noteSuccess(result: Result, { id, applicationId, untestedVersion }: ResolvedAccount): void {
    if (untestedVersion === undefined || running.has(id) || !isAccepted(result)) return;
    running.add(id);
    storage.accounts
      .markTested({ applicationId, id, version: untestedVersion })
      // A failure is ignored, because the account stays in the cache, and the next successful call tries again.
      .then(
        () => cache.drop(id),
        () => undefined,
      )
      .finally(() => running.delete(id));
  };
}
