import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { fetchReply, signIn } from './application.js';
import { newSettings, startProcess } from './service-process.js';
import type { AtOnce } from './support/send-at-once.js';

const SLOW = { timeout: 180_000 };
const BODIES = 60;
const MOST_MS = 250;
const MIB = 1024 * 1024;

const keys = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join();
const CONTENTS = {
  'ninety thousand keys': `{${keys(90_000)}}`,
  'as many keys and values as are allowed': `{${keys(4990)},"values":[${Array(44_000).fill(1)}]}`,
  'one long text': JSON.stringify('x'.repeat(MIB - 200)),
  'many escapes': JSON.stringify('"\\\n'.repeat(150_000)),
};

test.each(Object.entries(CONTENTS))(
  `F5: ${BODIES} simultaneous bodies with %s do not delay other requests`,
  SLOW,
  async (_, content) => {
    const service = await startProcess(await newSettings());
    onTestFinished(service.kill);
    const { accessToken, call } = await signIn(service);
    const body = { connectionName: 'calendar', connector: 'calendar' };
    await call('POST', '/v1/connections', { body });
    const url = `${service.url}/v1/tools/calendar_list_events/execute`;
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: `{"connectionName":"calendar","identifier":"ada","toolInput":{"x":${content}}}`,
    };
    const workerData: AtOnce = { url, init, count: BODIES };
    const sender = new Worker(new URL('./support/send-at-once.ts', import.meta.url), { workerData });
    let statuses: readonly number[] | undefined;
    sender.once('message', (all) => {
      statuses = all;
    });
    const waits: number[] = [];
    while (statuses === undefined) {
      const began = performance.now();
      expect((await fetchReply(`${service.url}/healthz`)).status).toBe(200);
      waits.push(performance.now() - began);
    }
    for (const status of statuses) expect([400, 404, 409, 413, 503]).toContain(status);
    expect(Math.max(...waits)).toBeLessThan(MOST_MS);
  },
);
