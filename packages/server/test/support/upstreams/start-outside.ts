import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Outside {
  readonly url: string;
  /** Paths of all received requests, in order. */
  readonly requested: string[];
  /** Sets the response of the server to requests for a path. */
  readonly put: (path: string, response: OutsideResponse) => void;
  /** Claims that replace the correct claims in ID tokens. */
  claims: Readonly<Record<string, unknown>>;
  /** Signs a user in at this authorization URL of the issuer, and returns the redirect URL. */
  readonly signIn: (url: string, subject: string) => string;
  readonly stop: () => void;
}

export interface OutsideResponse {
  readonly status?: number;
  readonly type?: string;
  readonly location?: string;
  readonly body?: unknown;
}

interface Signed {
  readonly subject: string;
  readonly nonce: string | null;
  readonly challenge: string | null;
  readonly clientId: string | null;
}

export const OPEN_ID_SECRET = 'secret at the issuer';

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return new URLSearchParams(text);
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Starts an OpenID Connect issuer on loopback. Clients can also publish their metadata documents on it. */
export async function startOutside(): Promise<Outside> {
  const responses = new Map<string, OutsideResponse>();
  const codes = new Map<string, Signed>();
  const outside: Outside = {
    url: '',
    requested: [],
    claims: {},
    put: (path, response) => void responses.set(path, response),
    signIn(url, subject) {
      const { searchParams } = new URL(url);
      const code = `code-${codes.size}`;
      const [nonce, challenge] = [searchParams.get('nonce'), searchParams.get('code_challenge')];
      codes.set(code, { subject, nonce, challenge, clientId: searchParams.get('client_id') });
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = String(new URLSearchParams({ code, state: searchParams.get('state') ?? '' }));
      return back.href;
    },
    stop: () => void server.close(),
  };

  async function grant(request: IncomingMessage): Promise<OutsideResponse> {
    const form = await readForm(request);
    const signed = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const basic = `Basic ${btoa(`${signed?.clientId}:${encodeURIComponent(OPEN_ID_SECRET).replaceAll('%20', '+')}`)}`;
    if (signed === undefined || verifier !== signed.challenge || request.headers.authorization !== basic)
      return { status: 400, body: { error: 'invalid_grant' } };
    const claims = {
      iss: outside.url,
      aud: signed.clientId,
      exp: Date.now() / 1000 + 60,
      nonce: signed.nonce,
      sub: signed.subject,
      ...outside.claims,
    };
    return {
      body: {
        access_token: 'a',
        token_type: 'Bearer',
        id_token: `${encode({ alg: 'none' })}.${encode(claims)}.`,
      },
    };
  }

  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    outside.requested.push(path);
    const reply =
      path === '/token' ? await grant(request) : (responses.get(path) ?? { status: 404, body: {} });
    const { status = 200, type = 'application/json', location, body = {} } = reply;
    response.writeHead(status, { 'content-type': type, ...(location && { location }) });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(outside, { url });
  outside.put('/.well-known/openid-configuration', {
    body: { issuer: url, authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token` },
  });
  return outside;
}
