import type { CurrentCaller } from '../caller.js';
import type { Commit } from './commit.js';
import { createFailureCounts } from './failure-counts.js';

export interface RefusedAddressesOptions {
  readonly commit: Commit;
  readonly caller: CurrentCaller;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

const PER_ACTOR = 30;

/**
 * Creates the recorder that writes an audit event for each host to which the service refused to send a request. Per
 * actor and minute, it records each host once and at most 30 hosts.
 */
export function createRefusedAddresses({ commit, caller, now, onError }: RefusedAddressesOptions) {
  const byActor = createFailureCounts({ limit: PER_ACTOR, now });
  const byHost = createFailureCounts({ limit: 1, now });
  let writing: Promise<unknown> = Promise.resolve();

  /**
   * Returns true if the actor's requests to this host are not yet recorded in this minute. A client that retries
   * endlessly must not fill the audit log.
   */
  function isNew(hostname: string): boolean {
    const { actor } = caller();
    const host = `${actor} ${hostname}`;
    if (byActor.retryAfter(actor) !== undefined || byHost.retryAfter(host) !== undefined) return false;
    byActor.add(actor);
    byHost.add(host);
    return true;
  }

  const write = (hostname: string) =>
    commit(async (_tables, audit) => {
      const { applicationId } = caller();
      audit({ action: 'address.refused', applicationId, object: hostname, result: 'refused' });
    });

  return {
    /**
     * Writes an audit event about a host that the service refused to call, in the background. Returns at once and never
     * throws.
     */
    record: (hostname: string): void => {
      if (isNew(hostname)) writing = Promise.all([writing, write(hostname).catch(onError)]);
    },
    /** Resolves when the audit events of all refused hosts are written to the database. */
    written: async (): Promise<void> => {
      await writing;
    },
  };
}
