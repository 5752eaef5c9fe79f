import { createHash, randomBytes } from 'node:crypto';
import { createClient } from '@svc/core';

/** An application that signs in its users itself. */
export interface SigningApplication {
  readonly url: string;
  readonly applicationId: string;
  readonly clientSecret: string;
}

interface Access {
  readonly clientId: string;
  readonly identifier: string;
  readonly redirectUri?: string;
  readonly connector?: string;
  readonly scope?: string;
}

/** The redirect URI of test clients. No server listens there. */
export const REDIRECT_URI = 'http://127.0.0.1/callback';

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };

const sentTo = (reply: Response): URL => new URL(reply.headers.get('location') ?? '');

/** Signs in a user at the application, gives consent, and returns the authorization code. */
async function giveConsent(of: SigningApplication, authorize: URL, identifier: string): Promise<string> {
  const begun = await fetch(authorize, { redirect: 'manual' });
  const [cookie = ''] = (begun.headers.getSetCookie()[0] ?? '').split(';', 1);
  const ticket = sentTo(begun).searchParams.get('sign_in_ticket') ?? '';
  const client = createClient({
    environmentUrl: of.url,
    clientId: of.applicationId,
    clientSecret: of.clientSecret,
  });
  const { redirectTo } = await client.call<{ redirectTo: string }>({
    method: 'POST',
    path: '/v1/agent-sign-ins',
    body: { ticket, identifier },
  });
  await fetch(redirectTo, { headers: { cookie }, redirect: 'manual' });
  const headers = { ...FORM, cookie };
  const decided = await fetch(redirectTo, {
    method: 'POST',
    headers,
    body: 'decision=allow',
    redirect: 'manual',
  });
  return sentTo(decided).searchParams.get('code') ?? '';
}

/** Runs the whole authorization flow of an MCP client, and returns its access token. */
export async function giveAccess(of: SigningApplication, access: Access): Promise<string> {
  const { clientId, identifier, redirectUri = REDIRECT_URI, connector, scope } = access;
  const issuer = `${of.url}/agents/${of.applicationId}`;
  const resource = `${of.url}/mcp/apps/${of.applicationId}${connector === undefined ? '' : `/${connector}`}`;
  const verifier = randomBytes(32).toString('base64url');
  const shared = { client_id: clientId, redirect_uri: redirectUri, resource };
  const authorize = new URL(`${issuer}/authorize`);
  authorize.search = String(
    new URLSearchParams({
      ...shared,
      response_type: 'code',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...(scope !== undefined && { scope }),
    }),
  );
  const code = await giveConsent(of, authorize, identifier);
  const form = { ...shared, grant_type: 'authorization_code', code, code_verifier: verifier };
  const reply = await fetch(`${issuer}/token`, { method: 'POST', body: new URLSearchParams(form) });
  if (!reply.ok)
    throw new Error(`The token endpoint responded with status ${reply.status}: ${await reply.text()}`);
  const { access_token } = (await reply.json()) as { readonly access_token: string };
  return access_token;
}
