import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { narrowToken } from './narrow-token.js';

const SIGNATURE = createHmac('sha256', 'first').update('x').digest('base64url');
const TOKEN = `svc_nt_tok_1.e30.${SIGNATURE}`;

test('appends limits that are signed with the previous signature', async () => {
  const limits = {
    tools: ['calendar_list_events'],
    arguments: { calendar_list_events: { q: { eq: 'Zoë ☕' } } },
  };
  const narrowed = await narrowToken(TOKEN, limits);
  const [head, first, link = '', signature] = narrowed.split('.');
  expect([head, first]).toEqual(['svc_nt_tok_1', 'e30']);
  expect(JSON.parse(Buffer.from(link, 'base64url').toString())).toEqual(limits);
  expect(signature).toBe(
    createHmac('sha256', Buffer.from(SIGNATURE, 'base64url')).update(link).digest('base64url'),
  );
  expect((await narrowToken(narrowed, { readOnly: true })).split('.')).toHaveLength(5);
});

test('writes expiresAt in seconds since 1970', async () => {
  const [, , link = ''] = (await narrowToken(TOKEN, { expiresIn: 60 })).split('.');
  const { expiresAt, ...rest } = JSON.parse(Buffer.from(link, 'base64url').toString());
  expect(rest).toEqual({});
  expect(expiresAt).toBeGreaterThan(Date.now() / 1000 + 58);
  expect(expiresAt).toBeLessThan(Date.now() / 1000 + 62);
});

test.each(['', 'svc_at_x', TOKEN.slice(0, -1), SIGNATURE])('refuses the invalid token %s', async (token) => {
  await expect(narrowToken(token, {})).rejects.toMatchObject({ code: 'invalid_request' });
});
