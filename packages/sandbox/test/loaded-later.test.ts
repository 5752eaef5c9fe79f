import { expect, onTestFinished, test } from 'vitest';
import { describe } from '../src/controls.js';
import type { KnownClient } from '../src/sandbox.js';
import { startSandbox } from '../src/start-sandbox.js';
import { UPSTREAMS } from '../src/upstreams/upstreams.js';

test('the initial upstream URLs equal those of the loaded upstreams', async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.stop());
  expect(sandbox.upstreams).toEqual(
    UPSTREAMS.map((upstream) => describe(upstream, `${sandbox.url}/${upstream.id}`)),
  );
});

test('an unused sandbox stops', async () => {
  const sandbox = await startSandbox();
  await sandbox.stop();
  await expect(fetch(sandbox.url)).rejects.toThrow();
});

test('a sandbox accepts a client of an earlier sandbox', async () => {
  const first = await startSandbox({ connectors: ['calendar'] });
  const redirectUris = ['http://127.0.0.1:1/callback'];
  const client = await first.registerClient('calendar', { redirectUris });
  await first.stop();
  const clients: KnownClient[] = [];
  const later = await startSandbox({ connectors: ['calendar'], clients });
  onTestFinished(() => later.stop());
  // The sandbox reads `clients` only when it loads the emulators, so a client added now must still be known.
  clients.push({ id: 'calendar', redirectUris, ...client });
  const requestToken = (clientSecret: string) =>
    fetch(later.upstream('calendar').tokenEndpoint ?? '', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: 'none',
        redirect_uri: redirectUris.join(),
        client_id: client.clientId,
        client_secret: clientSecret,
      }),
    }).then((response) => response.json());
  expect(await requestToken(client.clientSecret)).toMatchObject({ error: 'invalid_grant' });
  expect(await requestToken('other')).toMatchObject({ error: 'invalid_client' });
});
