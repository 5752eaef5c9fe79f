import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { command } from '../support/processes/command.js';
import { newSettings, runService, type ServiceSettings } from '../support/processes/service-process.js';
import { fetchReply, type Reply, signIn } from '../support/service/application.js';
import { signInOperator } from '../support/service/operator.js';

const PASSWORD = 'password-of-the-test';
const POLL_MS = 2;

/** Starts a process for its first start, without waiting until it is ready. */
function begin(settings: ServiceSettings, onTestFinished: (work: () => void) => void) {
  const env = {
    ...settings.env,
    SVC_PORT: String(settings.port),
    SVC_DATA: settings.data,
    SVC_LOG_LEVEL: 'silent',
    SVC_FIRST_CLIENT_ID: settings.clientId,
    SVC_FIRST_CLIENT_SECRET: settings.clientSecret,
    SVC_FIRST_OPERATOR_PASSWORD: PASSWORD,
  };
  const run = runService({ env });
  onTestFinished(() => run.signal('SIGKILL'));
  return { ...settings, ...run, env, url: `http://localhost:${settings.port}` };
}

/**
 * Polls a URL until it returns this status, and returns all responses. Failed connections are skipped, because nothing
 * listens at first.
 */
async function pollUntil(url: string, status: number): Promise<readonly Reply[]> {
  const replies: Reply[] = [];
  while (replies.at(-1)?.status !== status) {
    const reply = await fetchReply(url).catch(() => undefined);
    if (reply) replies.push(reply);
    await wait(POLL_MS);
  }
  return replies;
}

test('F2: the first application and operator exist as soon as the service is ready', async ({
  onTestFinished,
}) => {
  const service = begin(await newSettings(), onTestFinished);
  const replies = await pollUntil(`${service.url}/readyz`, 200);
  const operator = signInOperator({ url: service.url, name: 'admin', password: PASSWORD });
  expect((await signIn(service)).accessToken).toMatch(/^svc_at_/);
  expect((await operator).csrfToken).not.toBe('');
  expect(replies.slice(0, -1).every(({ status }) => status === 503)).toBe(true);
});

test.skipIf(inject('postgres') === undefined)(
  'F2: /readyz responds 503 until the first application is created',
  async ({ onTestFinished }) => {
    const settings = await newSettings();
    const { env, url } = { env: settings.env ?? {}, url: `http://localhost:${settings.port}` };
    expect((await command({ env: { ...env, SVC_DATA: settings.data } }, 'migrate')).code).toBe(0);
    const other = new Client({ connectionString: env['DATABASE_URL'] });
    await other.connect();
    await other.query('begin');
    await other.query('lock table applications in access exclusive mode');

    begin(settings, onTestFinished);
    await pollUntil(`${url}/healthz`, 200);
    const reply = await fetchReply(`${url}/readyz`);
    await other.query('rollback');
    await other.end();
    expect([reply.status, reply.headers.get('svc-error')]).toEqual([503, 'unavailable']);
    expect(reply.json()).toMatchObject({
      error: { message: 'This instance of the service is starting. Retry in a few seconds.' },
    });
    expect((await pollUntil(`${url}/readyz`, 200)).length).toBeGreaterThan(0);
  },
);
