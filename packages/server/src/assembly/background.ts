import { setTimeout as wait } from 'node:timers/promises';
import type { Approvals } from '../approvals/approvals.js';
import { repeatEvery } from '../concurrency/repeat-every.js';
import type { Config } from '../config/config.js';
import type { Log } from '../log/log.js';
import { agesOf, createRetention } from '../records/retention.js';
import type { Parts } from './parts.js';

export interface BackgroundParts extends Pick<Parts, 'authorization' | 'storage' | 'now'> {
  readonly config: Config;
  readonly approvals: Pick<Approvals, 'settleAll'>;
  readonly log: Log;
}

const MINUTE_MS = 60_000;

/** What the service does by itself, once a minute. */
export function startBackground(parts: BackgroundParts): { readonly close: () => Promise<void> } {
  const { approvals, config, log, authorization } = parts;
  const { expirePendingConsents, keys, signInRefusals } = authorization;
  const retention = createRetention({ ...parts, ages: agesOf(config.keep), wait });
  const jobs = [
    { work: expirePendingConsents, failed: 'approvals that nobody verified were not deleted' },
    { work: approvals.settleAll, failed: 'approvals of calls whose time is over were not ended' },
    { work: keys.finishAll, failed: 'a key rotation was not finished' },
    { work: signInRefusals.write, failed: 'refused sign-ins were not audited' },
    { work: retention.run, failed: 'what is too old was not deleted' },
  ].map(({ work, failed }) => {
    const onError = (error: unknown) => log.fault(failed, error);
    return repeatEvery(MINUTE_MS, { work, onError });
  });
  return {
    close: async () => {
      retention.stop();
      await Promise.all(jobs.map(({ close }) => close()));
      // Those that were counted since.
      await signInRefusals
        .write()
        .catch((error: unknown) => log.fault('refused sign-ins were not audited', error));
    },
  };
}
