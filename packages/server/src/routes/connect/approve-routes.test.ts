import { describe, expect, test } from 'vitest';
import { SCRIPT_PAYLOADS } from '../../../test/support/secrets/script-payloads.js';
import { ALWAYS, readyCall } from '../../../test/support/service/create-approvals.js';
import {
  type Connect,
  createConnect,
  sendForm,
  textOf,
} from '../../../test/support/service/create-connect.js';
import { ENVIRONMENT_URL } from '../../../test/support/service/create-tenant.js';
import { approvePage } from './approve-pages.js';
import { LANGUAGES } from './connect-texts.js';

/** Starts a tool call that waits for approval. Returns the call and the path of its approval page. */
async function createRequest(input: Readonly<Record<string, unknown>> = { to: 'bob', body: 'Hello' }) {
  const connect = await createConnect();
  const { runWithApproval, approvalLinks, accounts, applicationId, callApprovals } = connect;
  const { account } = await accounts.getOrCreate(applicationId, {
    connectionName: 'mail',
    identifier: 'ada',
  });
  const ready = readyCall({ account, applicationId, input, approve: ALWAYS });
  const ran: unknown[] = [];
  const call = () =>
    runWithApproval(ready, async () => {
      ran.push(ready.input);
      return { data: 'sent', schemaVersion: '1.0.0', toolVersion: '1.0.0', executionId: 'exec_1' };
    });
  const error = await call().catch((thrown: unknown) => thrown);
  const { id } = (error as { details: { id: string } }).details;
  const get = () => callApprovals.get(applicationId, id);
  return { ...connect, call, ran, id, get, url: new URL(approvalLinks.linkOf(id)).pathname };
}

const post = ({ app }: Pick<Connect, 'app'>, url: string, payload: string, headers = {}) =>
  sendForm(app, url, { headers, payload });

test.each([
  {
    language: 'en',
    texts: [
      'Approve this action?',
      'Acme Notes wants to run this action at Mail for ada:',
      'until November 20, 2026 at 9:15 AM UTC',
      'Deny',
    ],
  },
  {
    language: 'de',
    texts: [
      'Diese Aktion genehmigen?',
      'Acme Notes möchte für ada diese Aktion bei Mail ausführen:',
      'bis zum 20. November 2026 um 09:15 UTC',
      'Ablehnen',
    ],
  },
])(
  'H3: the approval page names the application, the action, the account and the expiry: $language',
  async ({ language, texts }) => {
    const { app, url, get } = await createRequest();
    const { body, headers } = await app.inject({ url, headers: { 'accept-language': language } });
    for (const text of [...texts, 'Send a message (Mail): to “bob”; body “Hello”.'])
      expect(textOf(body)).toContain(text);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(body).not.toContain('<script');
    await app.inject({ method: 'HEAD', url });
    expect(await get()).toMatchObject({ status: 'pending' });
  },
);

test('the approval page shows times in words, in UTC if they have an offset', async () => {
  const { app, url } = await createRequest({
    start: '2026-12-01T14:00:00+02:00',
    end: '2026-12-01T15:00:00',
    body: 'Moved to 2026-12-02T09:00:00Z',
  });
  const { body } = await app.inject({ url, headers: { 'accept-language': 'de' } });
  expect(textOf(body)).toContain(
    'start “December 1, 2026 at 12:00 PM UTC”; end “December 1, 2026 at 3:00 PM”; body “Moved to 2026-12-02T09:00:00Z”.',
  );
});

test('H3: the bearer of the link approves once, and the decision cannot be changed', async () => {
  const { app, call, ran, url, get, events } = await createRequest();
  const { body } = await post({ app }, url, 'decision=allow');
  expect(textOf(body)).toContain('You approved the action');
  expect(textOf((await post({ app }, url, 'decision=deny')).body)).toContain('You approved the action');
  expect(await get()).toMatchObject({ status: 'approved' });
  await call();
  expect(ran).toHaveLength(1);
  expect(textOf((await post({ app }, url, 'decision=allow')).body)).toContain('This action was approved');
  await call();
  expect(ran).toHaveLength(1);
  const actions = (await events())
    .map(({ action }) => action)
    .filter((action) => action.startsWith('approval'));
  expect(actions.sort()).toEqual(['approval.approved', 'approval.executed', 'approval.requested']);
});

test('the response to a decision is a redirect, because a browser cannot go back to the response of a form', async () => {
  const { app, url } = await createRequest();
  for (const payload of ['decision=deny', 'decision=allow']) {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const { statusCode, headers } = await app.inject({ method: 'POST', url, headers: form, payload });
    expect([statusCode, headers.location]).toEqual([303, `${ENVIRONMENT_URL}${url}`]);
  }
});

test('H3: the reason of a denial reaches the caller', async () => {
  const { app, call, url } = await createRequest();
  await post({ app }, url, `decision=deny&reason=${encodeURIComponent(`Not now. ${'x'.repeat(2000)}`)}`);
  const { details } = (await call().catch((thrown: unknown) => thrown)) as { details: { reason: string } };
  expect(details.reason).toMatch(/^Not now\. x+…$/);
  expect(details.reason).toHaveLength(1001);
});

interface Attempt {
  readonly title: string;
  readonly status: number;
  readonly attempt: (approval: Awaited<ReturnType<typeof createRequest>>) => Promise<{ statusCode: number }>;
}

const attempts: readonly Attempt[] = [
  {
    title: 'a form of another site',
    status: 403,
    attempt: (approval) => post(approval, approval.url, 'decision=allow', { 'sec-fetch-site': 'cross-site' }),
  },
  {
    title: 'a form of another site without Sec-Fetch-Site',
    status: 403,
    attempt: (approval) => post(approval, approval.url, 'decision=allow', { origin: 'https://evil.example' }),
  },
  {
    title: 'a form without a decision',
    status: 200,
    attempt: (approval) => post(approval, approval.url, 'x=y'),
  },
  {
    title: 'a decision that is the name of a property of every object',
    status: 200,
    attempt: (approval) => post(approval, approval.url, 'decision=constructor'),
  },
  {
    title: 'the link of another call',
    status: 404,
    attempt: (approval) =>
      post(approval, approval.url.replace(/appr_.{24}/, `appr_${'0'.repeat(24)}`), 'decision=allow'),
  },
  {
    title: 'the id without the token',
    status: 404,
    attempt: (approval) => post(approval, `/approve/${approval.id}`, 'decision=allow'),
  },
  {
    title: 'an altered link',
    status: 404,
    attempt: (approval) => post(approval, approval.url.slice(0, -1).concat('_'), 'decision=allow'),
  },
  {
    title: 'an expired link',
    status: 200,
    attempt: (approval) => {
      approval.clock.advance(15 * 60_000);
      return post(approval, approval.url, 'decision=allow');
    },
  },
];

test.each(attempts)('H3: no decision is made by $title', async ({ status, attempt }) => {
  const approval = await createRequest();
  const { statusCode } = await attempt(approval);
  expect(statusCode).toBe(status);
  expect((await approval.get()).status).not.toBe('approved');
  await expect(approval.call()).rejects.toMatchObject({ code: expect.stringMatching(/^approval_/) });
  expect(approval.ran).toEqual([]);
});

const tagsOf = (page: string) => page.match(/<[^>]*>/g)?.join('');

describe('O19: 30 script payloads', () => {
  test.each(SCRIPT_PAYLOADS)('appear only as text on the approval page: %s', (payload) => {
    const pageOf = (text: string, language: (typeof LANGUAGES)[number]) =>
      approvePage(language, {
        parties: {
          applicationName: text,
          applicationLogo: null,
          applicationColor: null,
          connectorTitle: text,
          connectorLogo: undefined,
          identifier: text,
          connectedAs: text,
        },
        call: {
          id: text,
          status: 'pending',
          sentence: text,
          toolName: text,
          toolInput: { [text]: text },
          accountId: text,
          connectionName: text,
          identifier: text,
          requestedBy: text,
          createdAt: '2026-11-20T09:00:00Z',
          expiresAt: '2026-11-20T09:15:00Z',
        },
      });
    for (const language of LANGUAGES)
      expect(tagsOf(pageOf(payload, language))).toBe(tagsOf(pageOf('text', language)));
  });
});

test('the approval page names the account at the upstream before and after the decision', async () => {
  const { app, url, storage, row, clock } = await createRequest();
  const connectedAs = JSON.stringify({ name: 'ada@mail.example', workspace: 'Analytical Engines' });
  await storage.accounts.change(await row('ada'), { connectedAs, updatedAt: clock.now() });
  const pages = [await app.inject({ url }), await post({ app }, url, 'decision=deny')];
  for (const { body } of pages)
    expect(textOf(body)).toContain('Account: ada@mail.example (Analytical Engines)');
});
