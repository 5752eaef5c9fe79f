import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Client, createClient, manage } from '@svc/core';
import { approve, type Sandbox, startSandbox } from '@svc/sandbox';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly service: ServiceAddress;
  }
}

/** How tests reach the service. */
export interface ServiceAddress {
  readonly environmentUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The user who has connected a calendar. */
export const user = { connectionName: 'calendar', identifier: 'user_42' };
/** One who has not. */
export const stranger = { connectionName: 'calendar', identifier: 'user_7' };

/** One service with the sandbox for all test files, and a calendar that a user has connected. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const sandbox = await startSandbox();
  const data = mkdtempSync(join(tmpdir(), 'svc-agents-'));
  const port = await freePort();
  const address = {
    environmentUrl: `http://localhost:${port}`,
    clientId: 'app_agents',
    clientSecret: 'svc_sk_of_tests_that_nobody_else_uses',
  };
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../../server/dist/main.js', import.meta.url))],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        SVC_PORT: String(port),
        SVC_DATA: data,
        SVC_ALLOWED_ORIGINS: sandbox.upstreams.map(({ id }) => `${id}=${sandbox.url}`).join(),
        SVC_FIRST_CLIENT_ID: address.clientId,
        SVC_FIRST_CLIENT_SECRET: address.clientSecret,
        SVC_LOG_LEVEL: 'error',
      },
    },
  );
  for await (const text of child.stdout.setEncoding('utf8')) if (String(text).includes('is ready on')) break;
  await connect(createClient(address), sandbox);
  provide('service', address);
  return async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    await sandbox.stop();
    rmSync(data, { recursive: true });
  };
}

async function connect(client: Client, sandbox: Sandbox): Promise<void> {
  const upstream = sandbox.upstreams.find(({ id }) => id === 'calendar');
  if (upstream === undefined) throw new Error('The sandbox has no calendar.');
  const { baseUrl, authorizationEndpoint, tokenEndpoint } = upstream;
  const { connections } = manage(client);
  const { redirectUri } = await connections.create({
    connectionName: 'calendar',
    connector: 'calendar',
    baseUrl,
  });
  const registered = await sandbox.registerClient('calendar', { redirectUris: [`${redirectUri}`] });
  await connections.update('calendar', {
    ...(authorizationEndpoint && { authorizationEndpoint }),
    ...(tokenEndpoint && { tokenEndpoint }),
    ...registered,
  });
  await approve((await client.getAuthorizationLink(user)).link, { user: 'ada' });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
