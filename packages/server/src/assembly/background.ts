import { setTimeout as wait } from 'node:timers/promises';
import { repeatEvery } from '../concurrency/repeat-every.js';
import type { Config } from '../config/config.js';
import { SAMPLE_MS } from '../health/last-minute.js';
import type { WatchMetrics } from '../metrics/watch-metrics.js';
import { agesOf, createRetention } from '../records/retention.js';
import type { Calls } from './calls.js';
import type { ServiceHealth } from './health.js';
import type { Service } from './service.js';
import { startWatching } from './watches.js';

const MINUTE_MS = 60_000;

interface BackgroundParts {
  readonly config: Config;
  readonly health: Pick<ServiceHealth, 'own'>;
  readonly calls: Pick<Calls, 'executeWatched'>;
  readonly metrics: WatchMetrics | undefined;
}

/**
 * Starts the background work: jobs that run once a minute, the loops for deliveries and watches, and the sampling of
 * the health counters.
 */
export function startBackground(
  service: Service,
  { calls, config, health, metrics }: BackgroundParts,
): { readonly close: () => Promise<void> } {
  const { approvals, events, log, parts } = service;
  const { core, now, storage } = parts;
  const { expirePendingConsents, keys, signInRefusals } = core;
  const retention = createRetention({ storage, ages: agesOf(config.retention), now, wait });
  const jobs = [
    {
      work: expirePendingConsents,
      failed: 'unverified consents could not be deleted; the service retries in a minute',
    },
    {
      work: approvals.expireOverdue,
      failed: 'expired approvals could not be updated; the service retries in a minute',
    },
    { work: keys.finishAll, failed: 'a key rotation could not be finished; the service retries in a minute' },
    {
      work: signInRefusals.write,
      failed: 'refused sign-ins could not be written to the audit log; the service retries in a minute',
    },
    { work: retention.run, failed: 'expired data could not be deleted; the service retries in a minute' },
  ].map(({ work, failed }) => {
    const onError = (error: unknown) => log.fault(failed, error);
    return repeatEvery(MINUTE_MS, { work, onError });
  });
  const running = events.start();
  const watching = startWatching(service, { config, execute: calls.executeWatched, metrics });
  const sampling = setInterval(health.own.sample, SAMPLE_MS).unref();
  return {
    close: async () => {
      clearInterval(sampling);
      retention.stop();
      await watching.close();
      await running.close();
      await Promise.all(jobs.map(({ close }) => close()));
      // Writes the audit events of sign-ins that the service has refused since the last run of the job for them.
      await signInRefusals
        .write()
        .catch((error: unknown) =>
          log.fault(
            'refused sign-ins are missing in the audit log, because the service stopped while the database failed',
            error,
          ),
        );
    },
  };
}
