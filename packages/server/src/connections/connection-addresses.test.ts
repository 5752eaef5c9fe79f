import { expect, test } from 'vitest';
import { createTenant } from '../../test/support/service/create-tenant.js';
import type { ConnectionSettings } from './connection-settings.js';

async function createKeyed(settings: ConnectionSettings = {}) {
  const tenant = await createTenant();
  const { accounts, connections, resolve, applicationId } = tenant;
  const name = { connectionName: 'keyed', connector: 'keyed' };
  const connection = await connections.create(applicationId, { ...name, ...settings });
  const account = { connectionName: 'keyed', identifier: 'ada' };
  const update = (change: ConnectionSettings) => connections.update(applicationId, 'keyed', change);
  /**
   * Connects an account, returns the URLs to which its requests are sent, and deletes it. A connection's URLs can only
   * change while it has no account.
   */
  const resolved = async () => {
    await accounts.getOrCreate(applicationId, account, { apiKey: 'k' });
    const name = { connectionName: 'keyed', identifier: 'ada' };
    const resolved = await (async () => resolve.byName(applicationId, name))().catch((error: unknown) => ({
      error,
    }));
    await accounts.delete(applicationId, account);
    if ('error' in resolved) throw resolved.error;
    return resolved;
  };
  return { ...tenant, connection, update, resolved };
}

const HOSTS = { labels: 'https://labels.example.com', tracking: 'https://tracking.example.com' };

test.each<{ title: string; settings: ConnectionSettings; addresses: object }>([
  {
    title: 'the addresses of the connector',
    settings: {},
    addresses: { baseUrl: 'https://api.mail.example.com', region: null, hosts: HOSTS },
  },
  {
    title: 'the addresses of a region',
    settings: { region: 'eu' },
    addresses: { baseUrl: 'https://eu.mail.example.com', region: 'eu', hosts: HOSTS },
  },
  {
    title: 'the addresses of the connection without a trailing slash',
    settings: { baseUrl: 'https://own.example.com/', hosts: { tracking: 'https://own.example.com/t/' } },
    addresses: {
      baseUrl: 'https://own.example.com',
      region: null,
      hosts: { ...HOSTS, tracking: 'https://own.example.com/t' },
    },
  },
])('a connection returns and uses $title', async ({ settings, addresses }) => {
  const { connection, resolved } = await createKeyed(settings);
  expect(connection).toMatchObject(addresses);
  const { region: _, ...used } = addresses as Record<string, unknown>;
  expect(await resolved()).toMatchObject(used);
});

test('a region replaces a base URL, and a base URL replaces a region', async () => {
  const { update, resolved } = await createKeyed({ baseUrl: 'https://own.example.com' });
  expect(await update({ region: 'eu' })).toMatchObject({
    region: 'eu',
    baseUrl: 'https://eu.mail.example.com',
  });
  expect((await resolved()).baseUrl).toBe('https://eu.mail.example.com');
  expect(await update({ baseUrl: 'https://own.example.com' })).toMatchObject({
    region: null,
    baseUrl: 'https://own.example.com',
  });
});

test('a change of one host keeps the other hosts', async () => {
  const { update } = await createKeyed({ hosts: { labels: 'https://first.example.com' } });
  const { hosts } = await update({ hosts: { tracking: 'https://second.example.com' } });
  expect(hosts).toEqual({ labels: 'https://first.example.com', tracking: 'https://second.example.com' });
});

test.each<{ title: string; settings: ConnectionSettings; message: RegExp }>([
  {
    title: 'an unknown region',
    settings: { region: 'mars' },
    message: /no region "mars"\. Use one of us, eu/,
  },
  {
    title: 'a region and a base URL',
    settings: { region: 'eu', baseUrl: 'https://own.example.com' },
    message: /Send `region` or `baseUrl`/,
  },
  {
    title: 'an unknown host',
    settings: { hosts: { nowhere: 'https://own.example.com' } },
    message: /no host "nowhere"\. Use one of labels, tracking/,
  },
  {
    title: 'the name of an inherited property',
    settings: { hosts: { constructor: 'https://own.example.com' } as never },
    message: /no host "constructor"/,
  },
  {
    title: 'a host on plain http',
    settings: { hosts: { labels: 'http://own.example.com' } },
    message: /^hosts\.labels is not https/,
  },
  {
    title: 'a host with a query',
    settings: { hosts: { labels: 'https://own.example.com?x=1' } },
    message: /^hosts\.labels has a query/,
  },
])('a connection refuses $title', async ({ settings, message }) => {
  await expect(createKeyed(settings)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(message),
  });
});

test('a connector without regions refuses a region', async () => {
  const { connections, applicationId } = await createTenant();
  await expect(connections.update(applicationId, 'mail', { region: 'eu' })).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'Mail has no region "eu". Omit `region`.',
  });
});

test('a region that was removed from the catalogue is returned and never replaced by another', async () => {
  const { connections, database, resolved, applicationId } = await createKeyed({ region: 'eu' });
  await database.updateTable('connections').set({ region: 'gone' }).where('name', '=', 'keyed').execute();
  expect(await connections.get(applicationId, 'keyed')).toMatchObject({ region: 'gone', baseUrl: null });
  await expect(resolved()).rejects.toMatchObject({ code: 'connection_not_configured' });
});
