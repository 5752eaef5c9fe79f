import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../test/new-folder.js';
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

test.each(['', '{', '{}', '[null,1,{"id":"mail"}]'])(
  'a sandbox client file with %j contains no client',
  (text) => {
    const folder = newFolder();
    writeFileSync(path.join(folder, 'sandbox-clients.json'), text);
    expect(openSandboxClients(folder).all()).toEqual([]);
  },
);
