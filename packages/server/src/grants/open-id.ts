import { createHash } from 'node:crypto';
import { checkIdentifier } from '../connections/account-name.js';
import { createProblemOf } from '../connections/endpoint-url.js';
import { ServiceError } from '../errors.js';
import { agentIssuer } from '../names/agent-urls.js';
import { AGENT_ORIGINS, type IsAllowedOrigin } from '../names/allowed-origins.js';
import type { AuthorizationServer } from '../oauth/authorization-server.js';
import { authorizationUrl } from '../oauth/authorization-url.js';
import { createDiscoverIssuer } from '../oauth/discover-issuer.js';
import type { MetadataAccess } from '../oauth/metadata-document.js';
import { createOAuth } from '../oauth/oauth.js';
import { OAuthError } from '../oauth/oauth-error.js';
import type { Digest } from '../vault/pepper.js';
import type { OpenIdAccess } from './agent-access.js';

export interface OpenIdParts {
  readonly fetch: MetadataAccess['fetch'];
  readonly isAllowedOrigin: IsAllowedOrigin;
  readonly digest: Digest;
  /** Base URL of this service, without a trailing slash. */
  readonly environmentUrl: string;
  readonly now: () => number;
}

/**
 * Sign-in at an OpenID Connect issuer. `ticket` is the secret that identifies the sign-in, and is also its OAuth
 * `state`. The PKCE verifier and the nonce are derived from `ticket`, so they need no storage.
 */
export interface OpenIdSignIn {
  readonly applicationId: string;
  readonly ticket: string;
}

const CLOCKS_APART_S = 60;

type Claims = Readonly<Record<string, unknown>>;

interface Expected {
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce: string;
  /** Current time in epoch seconds, for the check of the token's expiry. */
  readonly now: number;
}

const refused = (message: string): ServiceError =>
  new ServiceError('forbidden', message, { reason: 'upstream_unusable' });

// Error for a wrong setting of the application. The user cannot sign in before the developer has corrected it.
const wrongSetting = (problem: string, advice: string, cause?: unknown): ServiceError =>
  new ServiceError(
    'application_not_configured',
    `${problem} The developer of the application must ${advice}, with PUT /v1/agent-access.`,
    undefined,
    { cause },
  );

/**
 * Checks the ID token's claims as OpenID Connect Core, section 3.1.3.7, requires. Returns the error of the first check
 * that fails. The signature is not checked, because the token came from the issuer over TLS.
 */
function claimProblem({ iss, aud, azp, exp, nonce }: Claims, expected: Expected): ServiceError | undefined {
  if (iss !== expected.issuer)
    return wrongSetting(
      'The ID token names another issuer than the OpenID Connect metadata.',
      'correct `openId.issuer`',
    );
  const audiences = [aud].flat();
  const isForClient =
    audiences.includes(expected.clientId) && (audiences.length === 1 || azp === expected.clientId);
  if (!isForClient)
    return wrongSetting(
      'The ID token is for another client.',
      'set `openId.clientId` to the client id at the issuer',
    );
  if (typeof exp !== 'number')
    return refused(
      'The ID token has no claim "exp" with a number as value. Report this to the operator of the issuer.',
    );
  if (exp + CLOCKS_APART_S <= expected.now)
    return refused('The ID token has expired. Start again in the MCP client.');
  if (nonce !== expected.nonce)
    return refused('The ID token belongs to another sign-in. Start again in the MCP client.');
  return undefined;
}

function identifierIn(claims: Claims, claim: string): string {
  const value = claims[claim];
  if (typeof value !== 'string')
    throw wrongSetting(
      `The ID token has no claim "${claim}" with a string as value.`,
      'set `openId.claim` to a claim that the issuer sends',
    );
  try {
    return checkIdentifier(value);
  } catch (error) {
    throw wrongSetting(
      `The claim "${claim}" of the ID token is not a valid user identifier.`,
      'set `openId.claim` to another claim',
      error,
    );
  }
}

/** Converts an OAuth error of the issuer to the error that the user sees. */
function toExplained(error: unknown): unknown {
  if (!(error instanceof OAuthError)) return error;
  // Only the issuer's authorization response has no HTTP status: the user or the issuer denied the sign-in.
  const isDenied = error.failure === 'refused' && error.status === undefined;
  if (isDenied)
    return new ServiceError(
      'forbidden',
      `The issuer denied the sign-in with the error ${error.error}. Start again in the MCP client.`,
      undefined,
      { cause: error },
    );
  const code = error.failure === 'unavailable' ? 'unavailable' : 'forbidden';
  return new ServiceError(code, `The sign-in failed: ${error.message}`, undefined, { cause: error });
}

/** Creates the sign-in at an application's OpenID Connect issuer. This service is an OAuth client of the issuer. */
export function createOpenId({ fetch, isAllowedOrigin, digest, environmentUrl, now }: OpenIdParts) {
  const oauth = createOAuth({ fetch });
  const discover = createDiscoverIssuer({ fetch, problemOf: createProblemOf(isAllowedOrigin) });
  const find = (issuer: string): Promise<AuthorizationServer> =>
    discover(issuer, AGENT_ORIGINS).catch((error: unknown) => {
      throw toExplained(error);
    });
  const verifierOf = (ticket: string) => digest('agent sign-in verifier', ticket);
  const nonceOf = (ticket: string) => digest('agent sign-in nonce', ticket);
  const redirectUriOf = (applicationId: string) => `${agentIssuer(environmentUrl, applicationId)}/callback`;

  /**
   * Begins the sign-in of a user at the OpenID Connect issuer of an application. Returns the issuer's authorization
   * URL, to which the service redirects the browser.
   */
  async function begin(
    { issuer, clientId, scopes }: OpenIdAccess,
    { applicationId, ticket }: OpenIdSignIn,
  ): Promise<string> {
    const codeChallenge = createHash('sha256').update(verifierOf(ticket)).digest('base64url');
    return authorizationUrl(await find(issuer), {
      clientId,
      redirectUri: redirectUriOf(applicationId),
      scopes,
      state: ticket,
      nonce: nonceOf(ticket),
      codeChallenge,
    });
  }

  /**
   * Exchanges the code at the issuer. Resolves to the user's identifier from the ID-token claim that the application
   * has configured.
   */
  async function identify(
    { issuer, clientId, clientSecret, claim }: OpenIdAccess,
    { applicationId, ticket, callback }: OpenIdSignIn & { readonly callback: URLSearchParams },
  ): Promise<string> {
    const server = await find(issuer);
    const exchange = {
      callback,
      redirectUri: redirectUriOf(applicationId),
      codeVerifier: verifierOf(ticket),
    };
    const client = { id: clientId, secret: clientSecret?.reveal() };
    const { claims } = await oauth.exchange(server, client, exchange).catch((error: unknown) => {
      throw toExplained(error);
    });
    const expected = { issuer: server.issuer ?? issuer, clientId, nonce: nonceOf(ticket), now: now() / 1000 };
    const problem = claimProblem(claims, expected);
    if (problem !== undefined) throw problem;
    return identifierIn(claims, claim);
  }

  return { begin, identify };
}

export type OpenId = ReturnType<typeof createOpenId>;
