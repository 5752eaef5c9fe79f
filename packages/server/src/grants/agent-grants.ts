import { createHash } from 'node:crypto';
import { ServiceError } from '../errors.js';
import { AGENT_SCOPES } from '../names/agent-scopes.js';
import type { Commit } from '../records/commit.js';
import type { AgentGrantRow, AgentSignInRow } from '../storage/grant-rows.js';
import type { Storage } from '../storage/storage.js';
import { isSame } from '../text/is-same.js';
import { newId, type Random } from '../text/random.js';
import type { NarrowedTokens } from '../tokens/narrowed-tokens.js';
import { isOfGrant, issueToken, narrowToken, verifyToken } from '../tokens/token-chain.js';
import type { TokenLimits } from '../tokens/token-limits.js';
import type { Digest } from '../vault/pepper.js';
import type { AgentAccesses } from './agent-access.js';
import { isKnownStill } from './find-agent-client.js';
import { readLinks } from './grant-request.js';
import { linksOfScope, type Parameters, scopeOfLinks } from './read-request.js';
import { codeDigest } from './sign-in-digests.js';

export interface AgentGrantsParts {
  readonly storage: Pick<Storage, 'agentGrants' | 'agentSignIns'>;
  readonly agentAccesses: Pick<AgentAccesses, 'get'>;
  readonly narrowedTokens: Pick<NarrowedTokens, 'clearCache'>;
  readonly commit: Commit;
  readonly digest: Digest;
  readonly now: () => number;
  readonly random: Random;
}

/** Response body of the OAuth token endpoint (RFC 6749, section 5.1). */
export interface AgentTokenResponse {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

const ACCESS_LIFE_S = 600;
/** Milliseconds until a user's grant to an MCP client expires, counted from the last token refresh. */
const GRANT_LIFE_MS = 30 * 86_400_000;
const VERIFIER = /^[\w.~-]{43,128}$/;

const oauthError = (oauthError: string, message: string): ServiceError =>
  new ServiceError('invalid_request', message, { oauthError });

const badGrant = (what: string): ServiceError =>
  oauthError(
    'invalid_grant',
    `The ${what} is invalid, was used before or has expired. Start the authorization again.`,
  );

/** Content of a refresh token: the id of the user's grant, and the number of the token within this grant. */
interface RefreshToken {
  readonly id: string;
  readonly generation: number;
}

const REFRESH_TOKEN = /^svc_rt_(grant_[0-9a-f]{24})\.(\d{1,15})\.([\w-]{43})$/;

const sealRefreshToken = (digest: Digest, { id, generation }: RefreshToken): string =>
  digest('agent refresh token', `${id}.${generation}`);

/**
 * Creates a refresh token. It is not stored, because its HMAC proves that the service created it. The grant's row
 * stores the generation of the newest refresh token, a counter that each refresh increments.
 */
const issueRefreshToken = (digest: Digest, token: RefreshToken): string =>
  `svc_rt_${token.id}.${token.generation}.${sealRefreshToken(digest, token)}`;

function readRefreshToken(digest: Digest, text: string): RefreshToken | undefined {
  const [, id = '', generation = '', given = ''] = REFRESH_TOKEN.exec(text) ?? [];
  const token = { id, generation: Number(generation) };
  return isSame(given, sealRefreshToken(digest, token)) ? token : undefined;
}

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/**
 * True if the token request repeats the client, redirect URI and resource of the sign-in, and its `code_verifier`
 * matches the PKCE challenge.
 */
const fitsSignIn = (row: AgentSignInRow, form: Parameters): boolean =>
  form['client_id'] === row.clientId &&
  form['redirect_uri'] === row.redirectUri &&
  (form['resource'] ?? row.resource) === row.resource &&
  VERIFIER.test(form['code_verifier'] ?? '') &&
  isSame(challengeOf(form['code_verifier'] ?? ''), row.codeChallenge);

function toGrant(row: AgentSignInRow, id: string, now: number): AgentGrantRow {
  const { applicationId, identifier, clientId, clientName, resource, limits } = row;
  const times = { createdAt: now, usedAt: now, expiresAt: now + GRANT_LIFE_MS, revokedAt: null };
  const parties = { applicationId, identifier: identifier ?? '', clientId, clientName };
  return { id, ...parties, resource, limits, generation: 1, ...times };
}

/**
 * Returns the limits for a new access token: those of the grant, and `readOnly` if the refresh request asks only for
 * the read scope.
 */
function linksFor({ limits }: AgentGrantRow, scope: string | undefined): readonly TokenLimits[] {
  const links = readLinks(limits);
  const wanted = linksOfScope(scope);
  const requested = scope?.split(' ') ?? [];
  const isMore = AGENT_SCOPES.some(
    (name) => requested.includes(name) && !scopeOfLinks(links).split(' ').includes(name),
  );
  if (wanted === undefined || isMore)
    throw oauthError(
      'invalid_scope',
      'The user did not grant the requested scope. Omit `scope`, or start the authorization again with this scope.',
    );
  return wanted.length > 0 && !links.some(({ readOnly }) => readOnly) ? [...links, ...wanted] : links;
}

/**
 * Creates the OAuth token service for MCP clients. A grant is a user's permission for one client. Errors carry an OAuth
 * error code.
 */
export function createAgentGrants(parts: AgentGrantsParts) {
  const { storage, agentAccesses, narrowedTokens, commit, digest, now, random } = parts;

  function toTokens(grant: AgentGrantRow, links: readonly TokenLimits[]): AgentTokenResponse {
    const { id, identifier, resource, generation } = grant;
    const [first = {}, ...others] = links;
    const expiresAt = Math.floor(now() / 1000) + ACCESS_LIFE_S;
    const whole = issueToken(digest, id, { ...first, identifier, audience: resource, expiresAt });
    return {
      access_token: others.reduce(narrowToken, whole),
      token_type: 'Bearer',
      expires_in: ACCESS_LIFE_S,
      refresh_token: issueRefreshToken(digest, { id, generation }),
      scope: scopeOfLinks(links),
    };
  }

  /** Revokes a grant. Resolves to false if it was already revoked. */
  async function revoke(
    { applicationId, id }: Pick<AgentGrantRow, 'applicationId' | 'id'>,
    reason: string,
  ): Promise<boolean> {
    const isEnded = await commit(async ({ agentGrants }, audit) => {
      const revoked = await agentGrants.revoke({ applicationId, id }, now());
      if (revoked) audit({ action: 'agent_grant.revoked', applicationId, object: id, reason });
      return revoked;
    });
    narrowedTokens.clearCache();
    return isEnded;
  }

  /**
   * Revokes the grant of an authorization code that was used before, because the code may be stolen (RFC 6749, section
   * 4.1.2).
   */
  async function refuseCode(applicationId: string, digestOfCode: string): Promise<never> {
    const used = await storage.agentSignIns.findCode(applicationId, digestOfCode);
    if (used?.grantId) await revoke({ applicationId, id: used.grantId }, 'code_reused');
    throw badGrant('code');
  }

  async function exchange(applicationId: string, form: Parameters): Promise<AgentTokenResponse> {
    const access = await agentAccesses.get(applicationId);
    const digestOfCode = codeDigest(digest, form['code'] ?? '');
    const id = newId('grant', random);
    // A request with wrong parameters uses up the authorization code too, so that nobody can guess the parameters in
    // several requests.
    const taken = await commit(async ({ agentSignIns, agentGrants, agentClients, namedUsers }, audit) => {
      const row = await agentSignIns.takeCode({ applicationId, codeDigest: digestOfCode, now: now() }, id);
      if (!row) return 'unknown';
      if (!fitsSignIn(row, form)) return 'other';
      if (!(await isKnownStill(row, agentClients, access))) return 'removed';
      const grant = toGrant(row, id, now());
      await agentGrants.insert(grant);
      await namedUsers.add([{ applicationId, identifier: grant.identifier, seenAt: grant.createdAt }]);
      audit({ action: 'agent_grant.created', applicationId, object: id, reason: grant.clientName });
      return grant;
    });
    if (taken === 'unknown') return refuseCode(applicationId, digestOfCode);
    if (taken === 'other')
      throw oauthError(
        'invalid_grant',
        'The client_id, redirect_uri, resource or code_verifier does not match the authorization request. Start the authorization again, and send matching values with the new code.',
      );
    if (taken === 'removed')
      throw oauthError(
        'invalid_grant',
        'The application no longer accepts this MCP client. Ask the developer of the application to register the client.',
      );
    return toTokens(taken, readLinks(taken.limits));
  }

  async function refresh(applicationId: string, form: Parameters): Promise<AgentTokenResponse> {
    await agentAccesses.get(applicationId);
    const presented = readRefreshToken(digest, form['refresh_token'] ?? '');
    const grant = presented && (await storage.agentGrants.findLive(presented.id, now()));
    const isRight =
      grant?.applicationId === applicationId &&
      grant.clientId === form['client_id'] &&
      (form['resource'] ?? grant.resource) === grant.resource;
    if (!presented || !grant || !isRight) throw badGrant('refresh token');
    const links = linksFor(grant, form['scope']);
    const { id, generation } = presented;
    const key = { applicationId, id, generation, now: now() };
    const renewed = await storage.agentGrants.renew(key, now() + GRANT_LIFE_MS);
    if (renewed) return toTokens(renewed, links);
    // A refresh token that was used before shows that the client or a thief has a newer one, so the grant is revoked.
    await revoke(grant, 'refresh_reused');
    throw badGrant('refresh token');
  }

  /**
   * Handles OAuth token revocation: revokes the grant of an access or refresh token. Ignores unknown tokens, as RFC
   * 7009 requires.
   */
  async function giveUp(applicationId: string, form: Parameters): Promise<void> {
    const { token = '', client_id: clientId } = form;
    const chain = verifyToken(digest, token);
    // A client may have given other programs a token that it narrowed. Such a program must not revoke the whole grant.
    const isWhole = chain && isOfGrant(chain);
    const presented = readRefreshToken(digest, token) ?? (isWhole ? chain : undefined);
    const grant = presented && (await storage.agentGrants.findLive(presented.id, now()));
    if (!grant || grant.applicationId !== applicationId) return;
    const isNarrowed = chain !== undefined && chain.links.length > readLinks(grant.limits).length;
    if (grant.clientId !== clientId)
      throw oauthError(
        'invalid_grant',
        'The token belongs to another client. Send a token that the token endpoint issued to this client.',
      );
    if (isNarrowed)
      throw oauthError(
        'invalid_grant',
        'The token is derived from another token, so it cannot be revoked alone. Send the token from which it is derived.',
      );
    await revoke(grant, 'given_up');
  }

  return { exchange, refresh, giveUp, revoke };
}

export type AgentGrants = ReturnType<typeof createAgentGrants>;
