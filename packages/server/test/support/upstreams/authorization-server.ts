import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface AuthorizationServerOptions {
  readonly body?: 'form' | 'json';
  readonly clientAuthentication?: 'basic' | 'body';
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Each refresh returns a new refresh token. Reuse of an old refresh token revokes the whole grant. */
  readonly rotates?: boolean;
  readonly expiresIn?: number | string | null;
  readonly sendsIssuer?: boolean;
}

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly parameters: Readonly<Record<string, string>>;
}

export interface TestReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/**
 * `hang` never responds; `reset` closes the connection; `lose` processes the request and then closes the connection.
 */
export type Scripted = TestReply | 'hang' | 'reset' | 'lose' | undefined;

interface Grant {
  readonly subject: string;
  readonly refreshTokens: string[];
  live: boolean;
}

interface Code {
  readonly redirectUri: string;
  readonly challenge: string;
  readonly subject: string;
}

const KNOWN = new Set([
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'resource',
  'client_id',
  'client_secret',
  'token',
]);

const refusal = (error: string, status = 400): TestReply => ({ status, body: { error } });

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

/** Starts a strict authorization server: it records every request and refuses what RFC 6749 and RFC 7636 forbid. */
export async function startAuthorizationServer(options: AuthorizationServerOptions = {}) {
  const {
    body = 'form',
    clientAuthentication = 'body',
    clientId = 'client',
    rotates = true,
    expiresIn = 3600,
    sendsIssuer = false,
  } = options;
  const { clientSecret = 'client-secret' } = options;
  let expectedSecret = clientSecret;
  const requests: ReceivedRequest[] = [];
  const scripted: ((request: ReceivedRequest) => Scripted | Promise<Scripted>)[] = [];
  const codes = new Map<string, Code>();
  const grants: Grant[] = [];
  let paused: Promise<void> | undefined;

  const mint = (grant: Grant): TestReply => {
    const refreshToken = `refresh-${grant.subject}-${randomUUID()}`;
    grant.refreshTokens.push(refreshToken);
    return {
      status: 200,
      body: {
        access_token: `access-${grant.subject}-${randomUUID()}`,
        token_type: 'bearer',
        refresh_token: refreshToken,
        expires_in: expiresIn,
        user: grant.subject,
      },
    };
  };

  function exchangeCode({
    code = '',
    redirect_uri,
    code_verifier = '',
  }: ReceivedRequest['parameters']): TestReply {
    const known = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256').update(code_verifier).digest('base64url');
    if (known?.redirectUri !== redirect_uri || known?.challenge !== challenge)
      return refusal('invalid_grant');
    const grant = { subject: known.subject, refreshTokens: [], live: true };
    grants.push(grant);
    return mint(grant);
  }

  function refresh({ refresh_token: token = '' }: ReceivedRequest['parameters']): TestReply {
    const grant = grants.find(({ refreshTokens }) => refreshTokens.includes(token));
    if (!grant?.live) return refusal('invalid_grant');
    if (!rotates) {
      const tokens = mint(grant);
      grant.refreshTokens.pop();
      const { refresh_token: _, ...withoutToken } = tokens.body as Record<string, unknown>;
      return { ...tokens, body: withoutToken };
    }
    if (grant.refreshTokens.at(-1) === token) return mint(grant);
    grant.live = false;
    return refusal('invalid_grant');
  }

  function revoke({ token = '' }: ReceivedRequest['parameters']): TestReply {
    for (const grant of grants) if (grant.refreshTokens.includes(token)) grant.live = false;
    return { status: 200 };
  }

  function isClient({ headers, parameters }: ReceivedRequest): boolean {
    if (clientAuthentication === 'body') {
      return parameters['client_id'] === clientId && parameters['client_secret'] === expectedSecret;
    }
    return (
      headers.authorization === `Basic ${Buffer.from(`${clientId}:${expectedSecret}`).toString('base64')}`
    );
  }

  function respond(request: ReceivedRequest): TestReply {
    const unknown = Object.keys(request.parameters).filter((name) => !KNOWN.has(name));
    if (unknown.length > 0) return refusal('invalid_request');
    if (!isClient(request))
      return { ...refusal('invalid_client', 401), headers: { 'www-authenticate': 'Basic' } };
    if (request.path === '/revoke') return revoke(request.parameters);
    if (request.parameters['grant_type'] === 'authorization_code') return exchangeCode(request.parameters);
    if (request.parameters['grant_type'] === 'refresh_token') return refresh(request.parameters);
    return refusal('unsupported_grant_type');
  }

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readBody(message);
    const isJson = message.headers['content-type'] === 'application/json';
    const parameters = isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
    const request: ReceivedRequest = { path: message.url ?? '', headers: message.headers, parameters };
    requests.push(request);
    await paused;
    const scriptedReply = await scripted.shift()?.(request);
    if (scriptedReply === 'hang') return;
    if (scriptedReply === 'reset') {
      response.socket?.destroy();
      return;
    }
    const regularReply = () => (isJson === (body === 'json') ? respond(request) : refusal('invalid_request'));
    const reply = typeof scriptedReply === 'object' ? scriptedReply : regularReply();
    if (scriptedReply === 'lose') {
      response.socket?.destroy();
      return;
    }
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {}));
  }

  // Keep-alive has no timeout, because a busy test process would see an idle connection closed by the server as an
  // outage.
  const server = createServer({ keepAliveTimeout: 0 }, (message, response) => void handle(message, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    origin,
    authorizationEndpoint: `${origin}/authorize`,
    tokenEndpoint: `${origin}/token`,
    revocationEndpoint: `${origin}/revoke`,
    clientId,
    clientSecret,
    /** Changes the client secret that the server expects. */
    changeClientSecret: (secret: string) => {
      expectedSecret = secret;
    },
    /** Every received request, in order. */
    requests,
    tokenRequests: (grantType?: string) =>
      requests.filter(
        ({ path, parameters }) =>
          path === '/token' && (grantType === undefined || parameters['grant_type'] === grantType),
      ),
    /** Scripts the responses to the next requests, in order; `undefined` means the regular response. */
    script: (...replies: typeof scripted) => scripted.push(...replies),
    /** Delays every response until the returned function is called. */
    pause: (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      paused = promise;
      return () => {
        paused = undefined;
        resolve();
      };
    },
    /** Consents in the browser and returns the URL of the redirect. */
    approve: (authorizationUrl: string, { subject = 'ada' }: { readonly subject?: string } = {}): URL => {
      const query = new URL(authorizationUrl).searchParams;
      if (query.get('response_type') !== 'code' || query.get('code_challenge_method') !== 'S256') {
        throw new Error('not a code flow with PKCE');
      }
      const code = `code-${randomUUID()}`;
      const redirectUri = query.get('redirect_uri') ?? '';
      codes.set(code, { redirectUri, challenge: query.get('code_challenge') ?? '', subject });
      const back = new URL(redirectUri);
      back.searchParams.set('code', code);
      back.searchParams.set('state', query.get('state') ?? '');
      if (sendsIssuer) back.searchParams.set('iss', origin);
      return back;
    },
    deny: (authorizationUrl: string): URL => {
      const query = new URL(authorizationUrl).searchParams;
      const back = new URL(query.get('redirect_uri') ?? '');
      back.searchParams.set('error', 'access_denied');
      back.searchParams.set('state', query.get('state') ?? '');
      return back;
    },
    /** Revokes every grant, as a user does who removes the application's access. */
    revokeGrants: () => {
      for (const grant of grants) grant.live = false;
    },
  };
}

export type TestAuthorizationServer = Awaited<ReturnType<typeof startAuthorizationServer>>;
