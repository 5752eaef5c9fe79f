import { describe, expect, test } from 'vitest';
import {
  BROWSER,
  COOKIE,
  createVerifying,
  type Verifying,
} from '../../test/support/service/create-connect.js';
import { addApplication } from '../../test/support/service/service-parts.js';

const MINUTE_MS = 60_000;

describe('the audit log', () => {
  test('contains the verification of an account', async () => {
    const connect = await createVerifying();
    await connect.verify(await connect.reachVerification(), 'ada');
    const object = (await connect.row('ada')).id;
    const about = (await connect.events()).filter((event) => event.object === object);
    expect(about.map(({ action }) => action).sort()).toEqual([
      'account.authorized',
      'account.created',
      'account.pending_verification',
      'account.verified',
    ]);
  });

  test.each([
    {
      title: 'another identifier',
      reason: 'other_identifier',
      attempt: async (connect: Verifying) => {
        await connect.verify(await connect.reachVerification(), 'mallory');
      },
    },
    {
      title: 'another application',
      reason: 'other_application',
      attempt: async (connect: Verifying) => {
        const other = await addApplication(connect, 'Other');
        await connect.verify(await connect.reachVerification(), 'ada', other);
      },
    },
    {
      title: 'an unverified consent',
      reason: 'expired',
      attempt: async (connect: Verifying) => {
        await connect.reachVerification();
        connect.clock.advance(10 * MINUTE_MS);
        await connect.expirePendingConsents();
      },
    },
    {
      title: 'another user of the upstream',
      reason: 'other_subject',
      attempt: async (connect: Verifying) => {
        const ids = [
          await connect.reachVerification('ada', { subject: 'ada' }),
          await connect.reachVerification('ada', { subject: 'bob' }),
        ];
        for (const id of ids) await connect.verify(id, 'ada');
      },
    },
  ])('contains one event for a verification refused because of $title', async ({ reason, attempt }) => {
    const connect = await createVerifying();
    await attempt(connect);
    const refused = (await connect.events()).filter(
      ({ action }) => action === 'account.verification_refused',
    );
    expect(refused).toEqual([
      {
        action: 'account.verification_refused',
        object: (await connect.row('ada')).id,
        result: 'refused',
        reason,
        actor: 'test',
      },
    ]);
  });

  const REFUSALS: readonly { reason: string; attempt: (connect: Verifying) => Promise<unknown> }[] = [
    {
      reason: 'other_browser',
      attempt: async ({ approve, open }) =>
        open(await approve(), { cookie: COOKIE.cookie.replaceAll('b', 'c') }),
    },
    { reason: 'other_browser', attempt: async ({ approve, open }) => open(await approve(), {}) },
    {
      reason: 'other_connection',
      attempt: async ({ approve, open, connection }) =>
        open((await approve()).replace(connection.id, 'conn_other')),
    },
    {
      reason: 'used_before',
      attempt: async ({ approve, open }) => {
        const callback = await approve();
        for (let time = 0; time < 3; time += 1) await open(callback);
      },
    },
    {
      reason: 'expired',
      attempt: async ({ approve, open, clock }) => {
        const callback = await approve();
        clock.advance(10 * MINUTE_MS);
        await open(callback);
      },
    },
    {
      reason: 'link_used_before',
      attempt: async ({ createLink, decide, open }) => {
        const url = await createLink();
        await decide(url, 'allow');
        for (let time = 0; time < 3; time += 1) await open(url, {});
      },
    },
    {
      reason: 'upstream_refused',
      attempt: async ({ approve, open }) =>
        open((await approve()).replace(/code=[\w-]+/, 'code=of-somebody-else')),
    },
    {
      reason: 'cancelled',
      attempt: async ({ approve, open }) =>
        open((await approve()).replace(/code=[\w-]+/, 'error=access_denied')),
    },
    {
      reason: 'refused_by_administrator',
      attempt: async ({ approve, open }) =>
        open((await approve()).replace(/code=[\w-]+/, 'error=admin_policy_enforced')),
    },
    {
      reason:
        'upstream_unusable: The authorization server issued a token of the type "mac", but the service supports only bearer tokens. Ask the operator of the authorization server for bearer tokens.',
      attempt: async ({ approve, open, upstream }) => {
        const callback = await approve();
        upstream.script(() => ({ status: 200, body: { access_token: 'a', token_type: 'mac' } }));
        await open(callback);
      },
    },
    {
      reason: 'connection_changed',
      attempt: async ({ approve, open, database }) => {
        const callback = await approve();
        const elsewhere = { tokenEndpoint: 'https://other.example.com/token' };
        await database.updateTable('connections').set(elsewhere).execute();
        await open(callback);
      },
    },
  ];

  test.each(REFUSALS)(
    'O7: contains one event without secrets for a consent refused because of $reason',
    async ({ reason, attempt }) => {
      const connect = await createVerifying();
      await attempt(connect);
      const refused = (await connect.events()).filter(({ action }) => action === 'authorization.refused');
      const object = (await connect.row('ada')).id;
      expect(refused).toEqual([
        { action: 'authorization.refused', object, result: 'refused', reason, actor: 'test' },
      ]);
      expect(JSON.stringify(await connect.events())).not.toMatch(new RegExp(`${BROWSER}|code-|state=`));
    },
  );

  test('contains the refusal of the client of a connection', async () => {
    const connect = await createVerifying();
    const callback = await connect.approve();
    const refused = () => ({ status: 401, body: { error: 'invalid_client' } });
    connect.upstream.script(refused, refused);
    await connect.open(callback);
    expect(await connect.events()).toContainEqual({
      action: 'connection.refused_by_upstream',
      object: connect.connection.id,
      result: 'done',
      reason: 'invalid_client',
      actor: 'test',
    });
  });
});
