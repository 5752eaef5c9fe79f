import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { CONNECTORS, createTenant } from '../../test/support/service/create-tenant.js';
import type { Connector } from '../connections/connector.js';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const idToken = (claims: unknown) => `${encode({ alg: 'RS256' })}.${encode(claims)}.signature`;

/** Creates a tenant whose upstream identifies users only by the ID token, without a userinfo request. */
async function createClaiming() {
  const mail = CONNECTORS.get('mail');
  if (mail?.auth.type !== 'oauth2') throw new Error('no mail');
  const { subject: _, ...auth } = mail.auth;
  const claiming: Connector = { ...mail, auth: { ...auth, subjectClaim: 'sub' } };
  return createTenant({ parts: { connectors: new Map([...CONNECTORS, ['mail', claiming]]) } });
}

const tokenResponse = (more: object) => () => ({
  status: 200,
  body: { access_token: 'access', token_type: 'Bearer', user: 'of no meaning', ...more },
});

test.each([
  {
    title: 'has the audience of the client',
    more: { id_token: idToken({ aud: 'client', sub: 'ada-1' }) },
    subject: 'ada-1',
  },
  {
    title: 'has several audiences',
    more: { id_token: idToken({ aud: ['x', 'client'], sub: 'ada-1' }) },
    subject: 'ada-1',
  },
  {
    title: 'has another audience',
    more: { id_token: idToken({ aud: 'other', sub: 'ada-1' }) },
    subject: null,
  },
  { title: 'has no audience', more: { id_token: idToken({ sub: 'ada-1' }) }, subject: null },
  { title: 'has no subject', more: { id_token: idToken({ aud: 'client' }) }, subject: null },
  { title: 'has a numeric subject', more: { id_token: idToken({ aud: 'client', sub: 7 }) }, subject: null },
  {
    title: 'has a subject with a NUL character',
    more: { id_token: idToken({ aud: 'client', sub: 'a\0' }) },
    subject: null,
  },
  {
    title: 'has a subject with a lone surrogate',
    more: { id_token: idToken({ aud: 'client', sub: 'a\ud800' }) },
    subject: null,
  },
  {
    title: 'has a subject longer than an index entry',
    more: { id_token: idToken({ aud: 'client', sub: randomBytes(4000).toString('hex') }) },
    subject: null,
  },
  { title: 'is invalid', more: { id_token: 'x.y.z' }, subject: null },
  { title: 'contains a list', more: { id_token: idToken(['client']) }, subject: null },
  { title: 'is missing', more: {}, subject: null },
  {
    title: 'is given only as its claims',
    more: { id_token_claims: { aud: 'client', sub: 'ada-1' } },
    subject: null,
  },
])('O8: the subject of an ID token that $title is $subject', async ({ more, subject }) => {
  const { connect, row, upstream } = await createClaiming();
  upstream.script(tokenResponse(more));
  await connect('ada');
  expect((await row('ada')).subject).toBe(subject);
});

test('O8: an ID token of another user does not replace the stored user', async () => {
  const { connect, row, upstream } = await createClaiming();
  const of = (sub: string) => tokenResponse({ id_token: idToken({ aud: 'client', sub }) });
  upstream.script(of('ada-1'));
  await connect('ada');
  upstream.script(of('bob-2'));
  await expect(connect('ada')).rejects.toMatchObject({ code: 'conflict' });
  upstream.script(tokenResponse({}));
  await expect(connect('ada')).rejects.toMatchObject({ code: 'conflict' });
  expect((await row('ada')).subject).toBe('ada-1');
});
