import { approve, type Browser } from '@svc/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rounds } from '../support/runner/rounds.js';
import { type Application, signIn } from '../support/service/application.js';
import { addApplication } from '../support/service/second-application.js';
import { type Service, startService } from '../support/service/service.js';

const RUNS = rounds(100, 5);
/** Timeout in ms of a test with all its repetitions on a busy machine. */
const ROUNDS_MS = 15 * 60_000;
const VERIFY_URL = 'https://acme.example.com/verify';
const USERS = { calendar: 'calendar_list_calendars', workspace: 'workspace_users_list' } as const;
type Connection = keyof typeof USERS;

let service: Service;
let application: Application;
let stranger: Application;
let number = 0;
const someone = () => `user-${++number}@example.com`;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar', 'workspace'] });
  await service.app.applications.change(service.clientId, { production: true, verifyUrl: VERIFY_URL });
  application = await signIn(service);
  stranger = await addApplication(service);
});
beforeEach(() => service.sandbox.clearRequests());
afterAll(() => service.stop());

const accountPath = (connection: Connection, identifier: string) =>
  `/v1/connections/${connection}/accounts/${encodeURIComponent(identifier)}`;
const createLink = async (connection: Connection, identifier: string, body = {}) => {
  const reply = await application.call('POST', `${accountPath(connection, identifier)}/authorization-link`, {
    body,
  });
  return reply.json<{ link: string }>().link;
};
const accountOf = async (connection: Connection, identifier: string) =>
  (await application.call('GET', accountPath(connection, identifier))).json<{ id: string; status: string }>();

/** Opens the link and consents upstream. Returns the ID that the browser brings to the verify URL. */
async function reachVerification(link: string, options: { user?: string; browser?: Browser } = {}) {
  const { url } = await approve(link, {
    user: 'ada',
    ...options,
    stopAt: (address) => address.startsWith(VERIFY_URL),
  });
  expect(url).toMatch(/^https:\/\/acme\.example\.com\/verify\?auth_request_id=[\w-]{43}$/);
  return new URL(url).searchParams.get('auth_request_id') ?? '';
}

const verify = (authRequestId: string, identifier: string, { call } = application) =>
  call('POST', '/v1/accounts/verify', { body: { authRequestId, identifier } });
const run = async (connection: Connection, identifier: string) =>
  application.call('POST', `/v1/tools/${USERS[connection]}/execute`, {
    body: { connectedAccountId: (await accountOf(connection, identifier)).id, toolInput: {} },
  });
const proxy = (connection: Connection, identifier: string, path: string) =>
  application.call('GET', `/v1/proxy/${connection}/${encodeURIComponent(identifier)}${path}`);

const countRequests = async (path: RegExp) =>
  (await service.sandbox.requests()).filter((request) => path.test(request.path)).length;

describe.each(['calendar', 'workspace'] as const)('%s', (connection) => {
  test('O4: an account works after the consent and the verification by the application', async () => {
    const identifier = someone();
    const authRequestId = await reachVerification(await createLink(connection, identifier));
    expect(await accountOf(connection, identifier)).toMatchObject({ status: 'pending_verification' });
    expect((await run(connection, identifier)).status).toBe(409);
    const verified = await verify(authRequestId, identifier);
    expect([verified.status, verified.json()]).toEqual([200, await accountOf(connection, identifier)]);
    expect(verified.json()).toMatchObject({ identifier, status: 'authorized' });
    expect((await run(connection, identifier)).status).toBe(200);
  });

  test('A13: a repeated verification with the same idempotency key gets the first response', async () => {
    const identifier = someone();
    const authRequestId = await reachVerification(await createLink(connection, identifier));
    const headers = { 'idempotency-key': authRequestId };
    const body = { authRequestId, identifier };
    const send = () => application.call('POST', '/v1/accounts/verify', { body, headers });
    const [first, second] = [await send(), await send()];
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  test('O4: a verification for another user revokes the tokens upstream', async () => {
    const identifier = someone();
    const authRequestId = await reachVerification(await createLink(connection, identifier), {
      user: 'grace',
    });
    const refused = await verify(authRequestId, someone());
    expect([refused.status, refused.headers.get('svc-error')]).toEqual([403, 'verification_failed']);
    expect(await countRequests(/\/revoke$/)).toBe(1);
    expect(await accountOf(connection, identifier)).toMatchObject({ status: 'unauthorized' });
  });

  test('O5: proxy and tools treat a pending account like an unauthorized one', async () => {
    const [pending, unauthorized] = [someone(), someone()];
    await createLink(connection, unauthorized);
    await reachVerification(await createLink(connection, pending));
    await service.sandbox.clearRequests();
    const visible = async (identifier: string) => {
      const replies = [
        await run(connection, identifier),
        await proxy(connection, identifier, '/v1/users/me'),
      ];
      return replies.map(({ status, headers, text }) => {
        const { code, details } = JSON.parse(text).error;
        const path = String(details.authorizationLinkPath).replace(encodeURIComponent(identifier), '…');
        return { status, code, header: headers.get('svc-error'), path, names: Object.keys(details) };
      });
    };
    expect(await visible(pending)).toEqual(await visible(unauthorized));
    expect(await service.sandbox.requests()).toEqual([]);
  });
});

test('O4: a working account keeps its old tokens until the new ones are verified', async () => {
  const identifier = someone();
  await verify(await reachVerification(await createLink('workspace', identifier)), identifier);
  const waiting = await reachVerification(await createLink('workspace', identifier));
  expect(await accountOf('workspace', identifier)).toMatchObject({ status: 'authorized' });
  expect((await run('workspace', identifier)).status).toBe(200);
  expect((await verify(waiting, someone())).status).toBe(403);
  expect((await run('workspace', identifier)).status).toBe(200);
});

interface Attack {
  readonly title: string;
  /** Tries to connect an account of the attacker or the victim. */
  readonly attack: (users: { readonly attacker: string; readonly victim: string }) => Promise<void>;
}

const ATTACKS: readonly Attack[] = [
  {
    title: 'a link of an attacker that a victim opens and consents to',
    attack: async ({ attacker, victim }) => {
      const link = await createLink('workspace', attacker);
      const brought = await reachVerification(link, { user: 'grace' });
      expect((await verify(brought, victim)).status).toBe(403);
    },
  },
  {
    title: 'a verification that an attacker submits before the victim',
    attack: async ({ attacker, victim }) => {
      const brought = await reachVerification(await createLink('workspace', victim), { user: 'grace' });
      expect((await verify(brought, attacker)).status).toBe(403);
      expect((await verify(brought, victim)).status).toBe(404);
    },
  },
  {
    title: 'a verification by another application',
    attack: async ({ attacker, victim }) => {
      const brought = await reachVerification(await createLink('workspace', victim), { user: 'grace' });
      await stranger.call('PUT', accountPath('workspace', victim));
      expect((await verify(brought, victim, stranger)).status).toBe(404);
      expect((await verify(brought, attacker)).status).toBe(403);
    },
  },
  {
    title: 'an identifier that changes between the link and the verification',
    attack: async ({ attacker, victim }) => {
      const brought = await reachVerification(await createLink('workspace', attacker), { user: 'grace' });
      const forms = [`${attacker} `, attacker.toUpperCase(), encodeURIComponent(attacker), victim];
      const [changed = ''] = forms.slice(number % forms.length);
      expect((await verify(brought, changed)).status).toBe(403);
    },
  },
  {
    title: 'a forged auth request id',
    attack: async ({ victim }) => {
      await createLink('workspace', victim);
      expect((await verify('x'.repeat(43), victim)).status).toBe(404);
    },
  },
];

describe('O7: an attack on the verification', () => {
  test.each(ATTACKS)(
    'connects no account and leaves no tokens behind: $title',
    { timeout: ROUNDS_MS },
    async ({ attack }) => {
      for (let round = 0; round < RUNS; round += 1) {
        const users = { attacker: someone(), victim: someone() };
        await attack(users);
        for (const identifier of Object.values(users)) {
          const { status } = await accountOf('workspace', identifier);
          expect(['unauthorized', undefined]).toContain(status);
        }
        // Checks that each token was revoked. The sandbox keeps only the last 1,000 requests, so they are cleared in
        // each round.
        expect(await countRequests(/\/oauth\/revoke$/)).toBe(await countRequests(/\/oauth\/token$/));
        await service.sandbox.clearRequests();
      }
    },
  );
});

test('O7: a verification of one connection does not affect another', async () => {
  const identifier = someone();
  const brought = await reachVerification(await createLink('workspace', identifier));
  await createLink('calendar', identifier);
  expect((await verify(brought, identifier)).json()).toMatchObject({ connectionName: 'workspace' });
  expect(await accountOf('calendar', identifier)).toMatchObject({ status: 'unauthorized' });
});
