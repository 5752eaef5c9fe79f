import type { CurrentCaller } from '../caller.js';
import type { Commit } from './commit.js';
import { createFailureCounts } from './failure-counts.js';

export interface RefusedAddressesParts {
  readonly commit: Commit;
  readonly caller: CurrentCaller;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

export interface RefusedAddresses {
  /** Returns at once and never throws. */
  record(hostname: string): void;
  /** Resolves when everything that was recorded is written. */
  written(): Promise<void>;
}

const PER_ACTOR = 30;

/** Tells the audit log of hosts that were not dialled: one a minute of each actor once, thirty at most. */
export function createRefusedAddresses({
  commit,
  caller,
  now,
  onError,
}: RefusedAddressesParts): RefusedAddresses {
  const ofActors = createFailureCounts({ limit: PER_ACTOR, now });
  const ofHosts = createFailureCounts({ limit: 1, now });
  let writing: Promise<unknown> = Promise.resolve();

  /** A call that is tried again and again must not fill the log. */
  function isNew(hostname: string): boolean {
    const { actor } = caller();
    const host = `${actor} ${hostname}`;
    if (ofActors.retryAfter(actor) !== undefined || ofHosts.retryAfter(host) !== undefined) return false;
    ofActors.add(actor);
    ofHosts.add(host);
    return true;
  }

  const write = (hostname: string) =>
    commit(async (_tables, tell) => {
      const { applicationId } = caller();
      tell({ action: 'address.refused', applicationId, object: hostname, result: 'refused' });
    });

  return {
    record: (hostname) => {
      if (isNew(hostname)) writing = Promise.all([writing, write(hostname).catch(onError)]);
    },
    written: async () => {
      await writing;
    },
  };
}
