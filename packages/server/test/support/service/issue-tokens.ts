import { approve, type Sandbox } from '@svc/sandbox';
import type { SandboxConnection } from './application.js';

/** Tokens that a user granted to an OAuth client without the service. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAt?: string;
}

type OAuthClient = Pick<SandboxConnection, 'clientId' | 'clientSecret' | 'redirectUri'>;

interface TokenReply {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in?: number;
}

/** Query parameters of an authorization request that an upstream needs in addition to those of OAuth. */
const PARAMETERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  workspace: { owner: 'user' },
  calendar: {
    scope: 'openid https://www.googleapis.com/auth/calendar.calendarlist.readonly',
    access_type: 'offline',
    prompt: 'consent',
  },
};

function toIssued({ access_token, refresh_token, expires_in }: TokenReply): IssuedTokens {
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    ...(expires_in !== undefined && { expiresAt: new Date(Date.now() + expires_in * 1000).toISOString() }),
  };
}

/**
 * Gets tokens without the service: consents as a user and exchanges the code, as an application did before it used the
 * service.
 */
export async function issueTokens(
  sandbox: Sandbox,
  id: 'workspace' | 'calendar',
  { client, user = 'ada' }: { readonly client: OAuthClient; readonly user?: string },
): Promise<IssuedTokens> {
  const { authorizationEndpoint = '', tokenEndpoint = '' } = sandbox.upstream(id);
  const { clientId, clientSecret, redirectUri } = client;
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    ...PARAMETERS[id],
  });
  const { url } = await approve(`${authorizationEndpoint}?${query}`, {
    user,
    stopAt: (address) => address.startsWith(redirectUri),
  });
  const code = new URL(url).searchParams.get('code') ?? '';
  const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  const isJson = id === 'workspace';
  const response = await fetch(tokenEndpoint, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      ...(isJson && { 'content-type': 'application/json' }),
    },
    body: isJson ? JSON.stringify(grant) : new URLSearchParams(grant),
  });
  if (!response.ok) throw new Error(`The token request ended with ${response.status}.`);
  return toIssued((await response.json()) as TokenReply);
}

/** Creates an OAuth client at the sandbox for a connection, so that the test knows the client secret. */
export async function ownClient(
  sandbox: Sandbox,
  id: string,
  call: (
    method: string,
    path: string,
    options?: { readonly body?: unknown },
  ) => Promise<{ json: <T>() => T }>,
): Promise<OAuthClient> {
  const path = `/v1/connections/${id}`;
  const { redirectUri } = (await call('GET', path)).json<{ redirectUri: string }>();
  const client = await sandbox.registerClient(id, { redirectUris: [redirectUri] });
  await call('PATCH', path, { body: client });
  return { redirectUri, ...client };
}
