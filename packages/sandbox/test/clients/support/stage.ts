import type { TestProject } from 'vitest/node';
import { approve } from '../../../src/index.js';
import { IDENTIFIER, OF_RUNS } from './identifier.js';
import { CLIENT_ID, CLIENT_SECRET, startService } from './start-service.js';

/** URLs and token of the service that the batteries test. */
export interface Stage {
  readonly url: string;
  /** URL of the proxy port. */
  readonly proxyUrl: string;
  readonly sandboxUrl: string;
  /** Access token of the application. */
  readonly token: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly stage: Stage;
  }
}

const APPROVED = ['calendar', 'filesite', 'notesmcp', 'video', 'workspace'];
const KEYS = { [IDENTIFIER]: 'sandbox-scrapermcp', [OF_RUNS]: 'sandbox-scrapermcp-runs' };

async function getToken(url: string): Promise<string> {
  const response = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
    }),
  });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return token;
}

/** Scopes that the batteries request in addition to the default scopes, by connection. */
const SCOPES: Readonly<Record<string, readonly string[]>> = {
  calendar: ['openid', 'https://www.googleapis.com/auth/calendar'],
  video: ['youtube', 'youtube.force-ssl', 'yt-analytics.readonly'].map(
    (name) => `https://www.googleapis.com/auth/${name}`,
  ),
  filesite: ['openid', 'offline_access', 'Sites.ReadWrite.All', 'Files.ReadWrite.All', 'User.Read'],
};

async function connect(url: string, token: string): Promise<void> {
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}/v1/connections/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  for (const [name, scopes] of Object.entries(SCOPES)) await send('PATCH', name, { scopes });
  for (const [identifier, bearerToken] of Object.entries(KEYS))
    await send('PUT', `scrapermcp/accounts/${identifier}`, { bearerToken });
  for (const name of APPROVED) {
    await send('PUT', `${name}/accounts/${IDENTIFIER}`, {});
    const { link } = await send('POST', `${name}/accounts/${IDENTIFIER}/authorization-link`, {});
    const { status, body } = await approve(link, { user: 'ada' });
    if (status !== 200) throw new Error(`The consent for ${name} ended with ${status}: ${body}`);
  }
}

/** Starts the built service with its own sandbox and connects an account of each emulated service. */
export async function openStage(): Promise<Stage & { readonly stop: () => Promise<void> }> {
  const { stop, ...addresses } = await startService();
  try {
    const token = await getToken(addresses.url);
    await connect(addresses.url, token);
    return { ...addresses, token, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts the stage that all batteries share. Vitest calls this function once before the tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...stage } = await openStage();
  project.provide('stage', stage);
  return stop;
}
