import { setTimeout as wait } from 'node:timers/promises';
import { startSandbox } from '@svc/sandbox';
import { describe, expect, onTestFinished, test } from 'vitest';
import { median } from '../support/median.js';
import { type Balancer, startBalancer } from '../support/processes/balancer.js';
import { callAlternately } from '../support/processes/mixed-load.js';
import { newPort } from '../support/processes/new-port.js';
import { residentBytes } from '../support/processes/resident-bytes.js';
import {
  newDataFolder,
  newSettings,
  type ServiceSettings,
  startProcess,
} from '../support/processes/service-process.js';
import { isFull } from '../support/runner/rounds.js';
import { listForSandbox } from '../support/service/allowed-origins.js';
import { clientOf, connectToSandbox, signInOnce } from '../support/service/application.js';
import { connectAccount } from '../support/service/service.js';

const MINUTES = 15;
const BETWEEN_MS = 5_000;
const SAMPLE_MS = 1_000;
const MOST_GROWTH = 1.05;

/** Plans three instances on one database behind a balancer: one keeps running, two are restarted. */
async function planInstances(balancer: Balancer) {
  const sandbox = await startSandbox({ connectors: ['calendar'] });
  onTestFinished(() => sandbox.stop());
  const env = {
    SVC_ROOT_KEY: Buffer.alloc(32, 7).toString('base64'),
    SVC_ENVIRONMENT_URL: balancer.url,
  };
  const steady = await newSettings({ env, flags: ['--allowed-origins', listForSandbox(sandbox)] });
  const another = async (): Promise<ServiceSettings> => ({
    ...steady,
    port: await newPort(),
    data: newDataFolder(),
  });
  return { sandbox, steady, restarted: [await another(), await another()] };
}

async function start(settings: ServiceSettings) {
  const service = await startProcess(settings);
  onTestFinished(service.kill);
  return service;
}

/**
 * Restarts one instance after the other, as a rolling update does, until `isOver` returns true. Returns the number of
 * restarts.
 */
async function restartRepeatedly(
  balancer: Balancer,
  { settings, isOver }: { readonly settings: readonly ServiceSettings[]; readonly isOver: () => boolean },
): Promise<number> {
  const running = await Promise.all(settings.map(start));
  let restarts = 0;
  for (; !isOver(); restarts += 1) {
    const index = restarts % running.length;
    const stopped = running[index];
    if (stopped === undefined) break;
    await balancer.reaches(stopped.port);
    await wait(BETWEEN_MS);
    stopped.signal('SIGTERM');
    expect(await stopped.ended).toMatchObject({ code: 0, stderr: '' });
    running[index] = await start(stopped);
  }
  return restarts;
}

describe.skipIf(!isFull)('rolling restarts', () => {
  test(
    `F2: ${MINUTES} minutes of mixed load lose no call while instances restart one after the other`,
    async () => {
      const balancer = await startBalancer();
      onTestFinished(balancer.stop);
      const { sandbox, steady, restarted } = await planInstances(balancer);
      const service = await start(steady);
      balancer.share([steady, ...restarted].map(({ port }) => port));
      await balancer.reaches(steady.port);
      const atBalancer = { ...steady, url: balancer.url };
      const application = signInOnce(atBalancer);
      await connectToSandbox(await application(), sandbox, { id: 'calendar' });
      const svc = clientOf(steady, balancer.url);
      const { id: accountId } = await connectAccount({ svc }, 'calendar');

      const end = performance.now() + MINUTES * 60_000;
      const isOver = () => performance.now() >= end;
      const memory: number[] = [];
      const watch = async () => {
        for (; !isOver(); await wait(SAMPLE_MS)) memory.push(residentBytes(service.pid));
      };
      const [{ calls, failures }, restarts] = await Promise.all([
        callAlternately({ accountId, application, isOver }),
        restartRepeatedly(balancer, { settings: restarted, isOver }),
        watch(),
      ]);
      expect(failures).toEqual([]);
      expect(calls).toBeGreaterThan(MINUTES * 500);
      expect(restarts).toBeGreaterThan(MINUTES);
      const third = Math.floor(memory.length / 3);
      const [middle, last] = [median(memory.slice(third, 2 * third)), median(memory.slice(2 * third))];
      expect(last / middle).toBeLessThanOrEqual(MOST_GROWTH);
    },
    (MINUTES + 2) * 60_000,
  );
});
