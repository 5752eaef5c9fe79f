import { expect, test } from 'vitest';
import { createServiceParts } from '../../test/support/service/service-parts.js';

const VERIFY_URL = 'https://app.example.com/verify';

async function createOne() {
  const parts = await createServiceParts();
  const { id } = await parts.applications.create('Notes');
  const events = async () => {
    const all = await parts.storage.auditEvents.list({ applicationId: id, limit: 100 });
    return all.map(({ action, reason }) => ({ action, reason }));
  };
  parts.clock.advance(1);
  return { ...parts, id, events };
}

test('a new application is in development and has no URLs', async () => {
  const { applications, id } = await createOne();
  expect(await applications.get(id)).toEqual({
    id,
    name: 'Notes',
    production: false,
    verifyUrl: null,
    redirectUrls: [],
    logo: null,
    color: null,
    origins: [],
    allowTokenImport: false,
    createdAt: '2026-11-20T09:00:00.000Z',
    etag: expect.any(String),
  });
});

test('an application can be created with all of its settings', async () => {
  const { applications } = await createServiceParts();
  const settings = {
    production: true,
    verifyUrl: VERIFY_URL,
    redirectUrls: ['https://app.example.com/done'],
  };
  const { id } = await applications.create('Notes', settings);
  expect(await applications.get(id)).toMatchObject(settings);
});

test('a change keeps the other settings, and its audit event names the changed ones', async () => {
  const { applications, clock, id, events } = await createOne();
  await applications.change(id, { verifyUrl: VERIFY_URL, redirectUrls: ['http://localhost:3000/done'] });
  clock.advance(1);
  const changed = await applications.change(id, { name: 'Better notes', production: true });
  expect(changed).toMatchObject({
    name: 'Better notes',
    production: true,
    verifyUrl: VERIFY_URL,
    redirectUrls: ['http://localhost:3000/done'],
  });
  expect(await applications.get(id)).toEqual(changed);
  expect((await events()).slice(2)).toEqual([
    { action: 'application.changed', reason: 'verifyUrl,redirectUrls' },
    { action: 'application.changed', reason: 'name,production' },
  ]);
});

test('token import is switched on and off, each with an audit event', async () => {
  const { applications, clock, id, events } = await createOne();
  expect(await applications.change(id, { allowTokenImport: true })).toMatchObject({ allowTokenImport: true });
  clock.advance(1);
  expect(await applications.change(id, { name: 'Other' })).toMatchObject({ allowTokenImport: true });
  clock.advance(1);
  expect(await applications.change(id, { allowTokenImport: false })).toMatchObject({
    allowTokenImport: false,
  });
  expect((await events()).filter(({ reason }) => reason === 'allowTokenImport')).toHaveLength(2);
});

test('an empty change writes no audit event', async () => {
  const { applications, id, events } = await createOne();
  expect(await applications.change(id, {})).toEqual(await applications.get(id));
  expect((await events()).map(({ action }) => action)).not.toContain('application.changed');
});

const NEEDS_VERIFY_URL =
  /^An application marked production needs a verify URL\. Set "verifyUrl" \(--verify-url\)/;

test('production needs a verify URL, whichever of the two settings changes', async () => {
  const { applications, id, events } = await createOne();
  await expect(applications.create('Live', { production: true })).rejects.toThrow(NEEDS_VERIFY_URL);
  await expect(applications.change(id, { production: true })).rejects.toThrow(NEEDS_VERIFY_URL);
  await applications.change(id, { production: true, verifyUrl: VERIFY_URL });
  await expect(applications.change(id, { verifyUrl: null })).rejects.toThrow(NEEDS_VERIFY_URL);
  expect(await applications.get(id)).toMatchObject({ production: true, verifyUrl: VERIFY_URL });
  expect(await applications.change(id, { production: false, verifyUrl: null })).toMatchObject({
    production: false,
    verifyUrl: null,
  });
  expect((await events()).filter(({ action }) => action === 'application.changed')).toHaveLength(2);
});

test.each([
  { title: 'is relative', url: '/verify', says: /is not an absolute https URL/ },
  { title: 'is of another scheme', url: 'javascript:alert(1)', says: /is not an absolute https URL/ },
  { title: 'has one slash', url: 'https:/app.example.com', says: /is not an absolute https URL/ },
  { title: 'is not in ASCII', url: 'https://app.example.com/☃', says: /percent-encode/ },
  {
    title: 'has a backslash',
    url: 'https://app.example.com\\@evil.example',
    says: /contains a space, a backslash/,
  },
  { title: 'has a line break', url: 'https://app.example.com/\r\nx', says: /or a control character/ },
  { title: 'has a user name', url: 'https://me@app.example.com/', says: /contains a user name or password/ },
  { title: 'has a fragment', url: 'https://app.example.com/#x', says: /has a fragment/ },
  { title: 'has an empty fragment', url: 'https://app.example.com/#', says: /has a fragment/ },
  { title: 'is plain http', url: 'http://app.example.com/', says: /is not https\. Use a URL such as/ },
  { title: 'looks like loopback', url: 'http://localhost.example.com/', says: /is not https/ },
  { title: 'is too long', url: `https://app.example.com/${'x'.repeat(2048)}`, says: /more than 2048/ },
])('an application refuses a verify or redirect URL that $title', async ({ url, says }) => {
  const { applications, id } = await createOne();
  await expect(applications.change(id, { verifyUrl: url })).rejects.toThrow(says);
  await expect(applications.change(id, { redirectUrls: [VERIFY_URL, url] })).rejects.toThrow(says);
  expect(await applications.get(id)).toMatchObject({ verifyUrl: null, redirectUrls: [] });
});

test.each([
  'http://localhost:3000/verify',
  'http://127.0.0.1/v',
  'http://[::1]:8080/v',
  'https://a.example:8443/v?a=b',
])('accepts the verify URL %s unchanged', async (url) => {
  const { applications, id } = await createOne();
  expect(await applications.change(id, { verifyUrl: url })).toMatchObject({ verifyUrl: url });
});

test.each(['', '   ', 'two\nlines', 'x'.repeat(129), 'half \ud800'])('refuses the name %j', async (name) => {
  const { applications, id } = await createOne();
  await expect(applications.change(id, { name })).rejects.toThrow(
    /^The name of the application is invalid\. Send 1 to 128/,
  );
  await expect(applications.create(name)).rejects.toThrow(
    /^The name of the application is invalid\. Send 1 to 128/,
  );
});

test('lists applications in the order of their creation, in pages', async () => {
  const { applications, clock } = await createServiceParts();
  const ids: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    ids.push((await applications.create(name)).id);
    clock.advance(1);
  }
  const first = await applications.list({ pageSize: 2 });
  const second = await applications.list({ pageSize: 2, pageToken: first.nextPageToken });
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
  expect(second.nextPageToken).toBeUndefined();
});

test('every operation on an unknown application responds not_found', async () => {
  const { applications } = await createServiceParts();
  const missing = {
    code: 'not_found',
    message: 'There is no application "app_none". `svc-server apps list` lists the ids.',
  };
  await expect(applications.get('app_none')).rejects.toMatchObject(missing);
  await expect(applications.change('app_none', { name: 'x' })).rejects.toMatchObject(missing);
  await expect(applications.listClientSecrets('app_none')).rejects.toMatchObject(missing);
  await expect(applications.addClientSecret('app_none')).rejects.toMatchObject(missing);
});

test('lists live and revoked client secrets without their values', async () => {
  const { applications, clock, id } = await createOne();
  const [first] = await applications.listClientSecrets(id);
  clock.advance(1000);
  const { id: secondId } = await applications.addClientSecret(id);
  await applications.revokeClientSecret(id, first?.id ?? '');
  expect(await applications.listClientSecrets(id)).toEqual([
    { id: first?.id, createdAt: '2026-11-20T09:00:00.000Z', revokedAt: '2026-11-20T09:00:01.001Z' },
    { id: secondId, createdAt: '2026-11-20T09:00:01.001Z', revokedAt: null },
  ]);
});
