import { describe, expect, test } from 'vitest';
import { ALWAYS, createApproving, SEND } from '../../test/support/service/create-approvals.js';
import { createReencrypt } from '../vault/reencrypt.js';

const MINUTE_MS = 60_000;

const _pending = { code: 'approval_required' };

describe('H3: the person who decides an approval', () => {
  test('is never the bearer of a token', async () => {
    const { request, as, callApprovals, applicationId } = await createApproving();
    const id = await as('token:tok_1', () => request());
    for (const actor of ['token:tok_1', 'token:tok_2'])
      await expect(
        as(actor, () => callApprovals.decide(applicationId, id, { decision: 'approve' })),
      ).rejects.toMatchObject({ code: 'forbidden' });
    expect(await callApprovals.get(applicationId, id)).toMatchObject({ status: 'pending' });
  });

  test('never belongs to another application', async () => {
    const { request, callApprovals, applications, applicationId } = await createApproving();
    const id = await request();
    const { id: other } = await applications.create('Other');
    const none = { code: 'not_found' };
    await expect(callApprovals.get(other, id)).rejects.toMatchObject(none);
    await expect(callApprovals.decide(other, id, { decision: 'approve' })).rejects.toMatchObject(none);
    expect((await callApprovals.list(other, {})).items).toEqual([]);
    expect((await callApprovals.list(applicationId, { status: 'pending' })).items).toHaveLength(1);
  });

  test('gets a link that only the service can create, and that no bearer receives', async () => {
    const { call, request, as, approvalLinks, callApprovals } = await createApproving();
    const id = await request();
    const token = approvalLinks.linkOf(id).split('/').at(-1) ?? '';
    expect((await callApprovals.findByLink(token)).approval.id).toBe(id);
    const other = await request({ identifier: 'eve' });
    const forged = [id, `${id}.`, `${other}.${token.split('.')[1]}`, `${token}x`, `${id}.${'A'.repeat(43)}`];
    for (const each of forged)
      await expect(callApprovals.findByLink(each)).rejects.toMatchObject({ code: 'not_found' });
    const error = await as('token:tok_1', () => call()).catch((thrown: unknown) => thrown);
    const { details, message } = error as { details: { link: string }; message: string };
    expect(details.link).toContain('/dashboard/applications/');
    expect(message).not.toContain('/approve/');
  });

  test('decides once: the same decision changes nothing, and another one is refused', async () => {
    const { request, decide, clock } = await createApproving();
    const id = await request();
    const first = await decide(id, 'deny', 'No.');
    clock.advance(1000);
    expect(await decide(id, 'deny', 'Never.')).toEqual(first);
    await expect(decide(id, 'approve')).rejects.toMatchObject({
      code: 'conflict',
      details: { status: 'denied' },
    });
  });
});

describe('H4: the stored data of an approval', () => {
  test('is encrypted and deleted with the account', async () => {
    const { request, call, decide, database, accounts, applicationId, vault, storage } =
      await createApproving();
    const secretWord = 'xyzzy-private';
    const options = { input: { to: secretWord }, run: async () => secretWord };
    await decide(await request(options), 'approve', secretWord);
    await call(options);
    const rows = () => database.selectFrom('callApprovals').selectAll().execute();
    const [row] = await rows();
    expect(row?.result).toMatch(/^v1\./);
    expect(JSON.stringify(row)).not.toContain(secretWord);

    await vault.rotate(applicationId);
    const done = await createReencrypt({ storage, vault })(applicationId);
    expect(done).toMatchObject({ unreadable: 0 });
    expect((await call(options)).data).toBe(secretWord);

    await accounts.delete(applicationId, { connectionName: 'mail', identifier: 'ada' });
    expect(await rows()).toEqual([]);
  });

  test('hides secret fields of the input', async () => {
    const { request, callApprovals, applicationId } = await createApproving();
    const id = await request({ input: { to: 'bob', login: { password: 'xyzzy' } } });
    const views = [await callApprovals.get(applicationId, id), await callApprovals.list(applicationId, {})];
    expect(JSON.stringify(views)).not.toContain('xyzzy');
    expect(views).toMatchObject([{ toolInput: { to: 'bob' } }, { items: [{ toolInput: { to: 'bob' } }] }]);
  });

  test('excludes the response once the approval has expired', async () => {
    const { request, call, decide, clock, expireOverdue, database } = await createApproving();
    await decide(await request(), 'approve');
    await call();
    clock.advance(30 * MINUTE_MS);
    await expireOverdue();
    const rows = await database.selectFrom('callApprovals').select(['status', 'result']).execute();
    expect(rows).toEqual([{ status: 'executed', result: null }]);
  });

  test('is limited in size', async () => {
    const { request, call, decide, ran } = await createApproving();
    const large = 'x'.repeat(1024 * 1024);
    await expect(call({ input: { to: large } })).rejects.toMatchObject({ code: 'payload_too_large' });
    await decide(await request(), 'approve');
    expect((await call({ run: async () => large })).data).toBe(large);
    await expect(call()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('too large'),
    });
    expect(ran).toHaveLength(1);
  });
});

test('H5: the number of pending approvals is limited per caller, user and application', async () => {
  const { request, as, decide } = await createApproving();
  const requestMany = async (actor: string, count: number, identifier = 'ada') => {
    const ids = [];
    for (let at = 0; at < count; at += 1)
      ids.push(await as(actor, () => request({ input: { to: `${actor} ${at}` }, identifier })));
    return ids;
  };
  const [first = ''] = await requestMany('token:tok_0', 20);
  const full = (subject: string) => ({
    code: 'rate_limited',
    message: expect.stringContaining(subject),
    details: { limit: 'approvals', retryAfter: 60 },
  });
  await expect(requestMany('token:tok_0', 21)).rejects.toMatchObject(full('of this caller'));
  await decide(first, 'deny');
  await as('token:tok_0', () => request({ input: { to: 'another' } }));
  // The limit per user counts all tokens together, because a user has a separate token for each MCP client.
  for (const token of [1, 2]) await requestMany(`token:grant_${token}`, 20);
  await expect(requestMany('token:grant_3', 1)).rejects.toMatchObject(full('of this user'));
  for (let token = 4; token < 11; token += 1) await requestMany(`token:tok_${token}`, 20, `user_${token}`);
  await expect(requestMany('token:tok_11', 1, 'user_11')).rejects.toMatchObject(full('of this application'));
});

describe('H1: the approval policy', () => {
  const read = { ...SEND, name: 'mail_read', hints: { ...SEND.hints, readOnly: true, destructive: false } };
  test.each([
    { title: 'unset requires no approval', call: { approve: undefined }, isRequired: false },
    {
      title: '"always" requires an approval for a read',
      call: { approve: ALWAYS, tool: read },
      isRequired: true,
    },
    {
      title: '"destructive" requires an approval for a destructive tool',
      call: { approve: { default: 'destructive', tools: {} } },
      isRequired: true,
    },
    {
      title: '"destructive" requires no approval for a read',
      call: { approve: { default: 'destructive', tools: {} }, tool: read },
      isRequired: false,
    },
    {
      title: '"never" requires an approval for a tool that is set to "always"',
      call: { approve: { default: 'never', tools: { mail_read: 'always' } }, tool: read },
      isRequired: true,
    },
    {
      title: '"always" requires no approval for a tool that is set to "never"',
      call: { approve: { default: 'always', tools: { mail_send: 'never' } } },
      isRequired: false,
    },
    {
      title: '"never" is overridden by a token that requires an approval',
      call: { approve: { default: 'always', tools: { mail_send: 'never' } }, needsApproval: true },
      isRequired: true,
    },
  ] as const)('$title', async ({ call: options, isRequired }) => {
    const { call } = await createApproving();
    const outcome = await call(options).catch(({ code }: { code: string }) => code);
    expect(outcome === 'approval_required').toBe(isRequired);
  });
});
