import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../test/support/processes/new-folder.js';
import { openSandboxClients } from './sandbox-clients.js';

const client = {
  id: 'mail',
  clientId: 'one',
  clientSecret: 's',
  redirectUris: ['http://localhost/callback'],
};

test('a sandbox client is found after a restart by its redirect URI, in a private file', () => {
  const folder = newFolder();
  openSandboxClients(folder).store(client);
  const { find } = openSandboxClients(folder);
  expect(find('mail', 'http://localhost/callback')).toEqual(client);
  expect(find('mail', 'http://localhost/other')).toBeUndefined();
  expect(statSync(path.join(folder, 'sandbox-clients.json')).mode & 0o777).toBe(0o600);
});

test('clients of several connections to one upstream are stored, up to 500', () => {
  const clients = openSandboxClients(newFolder());
  const uriOf = (at: number) => `http://localhost/${at}`;
  for (let at = 0; at < 502; at += 1)
    clients.store({ ...client, clientId: String(at), redirectUris: [uriOf(at)] });
  clients.store({ ...client, clientId: 'new', redirectUris: [uriOf(501)] });
  expect(clients.all()).toHaveLength(500);
  expect(clients.find('mail', uriOf(1))).toBeUndefined();
  expect(clients.find('mail', uriOf(2))?.clientId).toBe('2');
  expect(clients.find('mail', uriOf(501))?.clientId).toBe('new');
});

test.each(['', '{', '{}', '[null,1,{"id":"mail"}]'])(
  'a sandbox client file with %j contains no client',
  (text) => {
    const folder = newFolder();
    writeFileSync(path.join(folder, 'sandbox-clients.json'), text);
    expect(openSandboxClients(folder).all()).toEqual([]);
  },
);
