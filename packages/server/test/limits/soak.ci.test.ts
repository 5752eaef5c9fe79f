import { readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { startSandbox } from '@svc/sandbox';
import { describe, expect, onTestFinished, test } from 'vitest';
import { median } from '../support/median.js';
import { CALLERS, callAlternately } from '../support/processes/mixed-load.js';
import { residentBytes } from '../support/processes/resident-bytes.js';
import { newSettings, startProcess } from '../support/processes/service-process.js';
import { isFull } from '../support/runner/rounds.js';
import { listForSandbox } from '../support/service/allowed-origins.js';
import { type Application, clientOf, connectToSandbox, signIn } from '../support/service/application.js';
import { connectAccount } from '../support/service/service.js';
import { FAULTS, type Fault, startFaultyProxy } from '../support/upstreams/faulty-proxy.js';

// Duration of the test. Before a release: 120 minutes.
const MINUTES = Number(process.env['SVC_TEST_SOAK_MINUTES'] ?? 5);
const FAULT_EVERY_MS = 30_000;
const FAULT_MS = 3_000;
// Time after a fault in which calls may still fail: the circuit breaker stays open for 5 s, and earlier calls may end
// late.
const AFTER_MS = 12_000;
const SAMPLE_MS = 5_000;
// Allowed growth in bytes per hour. `NOISE` is the difference that the timing of garbage collections makes in a sample.
const MOST_PER_HOUR = 2 ** 20;
const NOISE = 16 * 2 ** 20;

interface Sample {
  readonly bytes: number;
  readonly handles: number;
}

const sample = (pid: number): Sample => ({
  bytes: residentBytes(pid),
  handles: readdirSync(`/proc/${pid}/fd`).length,
});

async function startSoaked() {
  const sandbox = await startSandbox({ connectors: ['calendar'] });
  const proxy = await startFaultyProxy(sandbox.url);
  const flags = ['--allowed-origins', listForSandbox(sandbox, [proxy.origin])];
  const service = await startProcess(
    await newSettings({ flags, env: { NODE_OPTIONS: '--max-semi-space-size=16' } }),
  );
  onTestFinished(async () => {
    await service.kill();
    proxy.stop();
    await sandbox.stop();
  });
  await connectToSandbox(await signIn(service), sandbox, { id: 'calendar', origin: proxy.origin });
  const svc = clientOf(service, service.url);
  const { id: accountId } = await connectAccount({ svc }, 'calendar');
  return { service, proxy, accountId };
}

describe.skipIf(!isFull)('soak', () => {
  test(
    `F8: ${MINUTES} minutes of mixed load with a fault every 30 s leak no memory and no handles`,
    async () => {
      const { service, proxy, accountId } = await startSoaked();
      const end = performance.now() + MINUTES * 60_000;
      const isOver = () => performance.now() >= end;
      const samples: Sample[] = [];
      let disturbedUntil = 0;
      let application: Application = await signIn(service);

      async function disturb(): Promise<void> {
        const faults = Object.keys(FAULTS) as Fault[];
        for (let round = 0; !isOver(); round += 1) {
          await wait(FAULT_EVERY_MS - FAULT_MS);
          // A new access token is needed, because tokens expire after 15 minutes.
          application = await signIn(service);
          disturbedUntil = Number.POSITIVE_INFINITY;
          proxy.spoil(faults[round % faults.length]);
          await wait(FAULT_MS);
          proxy.spoil(undefined);
          disturbedUntil = performance.now() + AFTER_MS;
        }
      }

      async function watch(): Promise<void> {
        while (!isOver()) {
          await wait(SAMPLE_MS);
          if (performance.now() > disturbedUntil) samples.push(sample(service.pid));
        }
      }

      const isDisturbed = () => performance.now() < disturbedUntil;
      const [{ calls, failures }] = await Promise.all([
        callAlternately({ accountId, application: async () => application, isOver, isDisturbed }),
        disturb(),
        watch(),
      ]);
      expect(failures).toEqual([]);
      expect(calls).toBeGreaterThan(MINUTES * 500);
      // Samples of the first third are dropped, because the process is still warming up.
      const warm = samples.slice(Math.floor(samples.length / 3));
      const [middle, last] = [warm.slice(0, warm.length / 2), warm.slice(warm.length / 2)];
      const change = (of: (sample: Sample) => number) => median(last.map(of)) - median(middle.map(of));
      expect(change(({ bytes }) => bytes)).toBeLessThan(NOISE + (MOST_PER_HOUR * MINUTES) / 60);
      expect(change(({ handles }) => handles)).toBeLessThanOrEqual(CALLERS);
      service.signal('SIGTERM');
      expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
    },
    (MINUTES + 2) * 60_000,
  );
});
