import { createHash } from 'node:crypto';
import { ServiceError } from '../errors.js';
import { AGENT_SCOPES } from '../names/agent-scopes.js';
import { newId, type Random } from '../random.js';
import type { Commit, RecordEvent } from '../records/commit.js';
import type { AgentGrantRow, AgentSignInRow } from '../storage/grant-rows.js';
import type { Storage, Tables } from '../storage/storage.js';
import { isSame } from '../text/is-same.js';
import type { NarrowedTokens } from '../tokens/narrowed-tokens.js';
import { isOfGrant, issueToken, narrowToken, verifyToken } from '../tokens/token-chain.js';
import type { TokenLimits } from '../tokens/token-limits.js';
import type { Digest } from '../vault/pepper.js';
import type { AgentAccesses } from './agent-access.js';
import { readLinks } from './ask.js';
import { isKnownStill } from './client-kinds.js';
import { linksOfScope, type Parameters, scopeOfLinks } from './read-request.js';
import { issueRefreshToken, readRefreshToken } from './refresh-token.js';
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

/** What the token endpoint answers (RFC 6749, section 5.1). */
export interface GrantedTokens {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/** What a client gets for a code or a refresh token, and how it gives that up. Throws errors of OAuth. */
export interface AgentGrants {
  exchange(applicationId: string, form: Parameters): Promise<GrantedTokens>;
  refresh(applicationId: string, form: Parameters): Promise<GrantedTokens>;
  /** Ends what the token is of; one that is unknown is over already (RFC 7009). */
  giveUp(applicationId: string, form: Parameters): Promise<void>;
  /** Whether it had not been revoked. */
  revoke(grant: Pick<AgentGrantRow, 'applicationId' | 'id'>, reason: string): Promise<boolean>;
}

const ACCESS_LIFE_S = 600;
/** After its last use. */
const GRANT_LIFE_MS = 30 * 86_400_000;
const VERIFIER = /^[\w.~-]{43,128}$/;

const oauthError = (oauthError: string, message: string): ServiceError =>
  new ServiceError('invalid_request', message, { oauthError });

const badGrant = (what: string): ServiceError =>
  oauthError(
    'invalid_grant',
    `The ${what} is not valid, was used before or has expired: begin the authorization again.`,
  );

const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** Whether what a client sent is what the sign-in was begun with. */
const fitsSignIn = (row: AgentSignInRow, form: Parameters): boolean =>
  form['client_id'] === row.clientId &&
  form['redirect_uri'] === row.redirectUri &&
  (form['resource'] ?? row.resource) === row.resource &&
  VERIFIER.test(form['code_verifier'] ?? '') &&
  isSame(challengeOf(form['code_verifier'] ?? ''), row.codeChallenge);

function toGrant(row: AgentSignInRow, id: string, now: number): AgentGrantRow {
  const { applicationId, identifier, clientId, clientName, resource, limits } = row;
  const times = { createdAt: now, usedAt: now, expiresAt: now + GRANT_LIFE_MS, revokedAt: null };
  const named = { applicationId, identifier: identifier ?? '', clientId, clientName };
  return { id, ...named, resource, limits, generation: 1, ...times };
}

/** The links of an access token: those of the grant, and what a refresh asked for less. */
function linksFor({ limits }: AgentGrantRow, scope: string | undefined): readonly TokenLimits[] {
  const links = readLinks(limits);
  const wanted = linksOfScope(scope);
  const given = scope?.split(' ') ?? [];
  const isMore = AGENT_SCOPES.some(
    (name) => given.includes(name) && !scopeOfLinks(links).split(' ').includes(name),
  );
  if (wanted === undefined || isMore)
    throw oauthError('invalid_scope', 'The user did not agree to this scope: begin the authorization again.');
  return wanted.length > 0 && !links.some(({ readOnly }) => readOnly) ? [...links, ...wanted] : links;
}

export function createAgentGrants(parts: AgentGrantsParts): AgentGrants {
  const { storage, agentAccesses, narrowedTokens, commit, digest, now, random } = parts;

  function toTokens(grant: AgentGrantRow, links: readonly TokenLimits[]): GrantedTokens {
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

  async function revokeIn(
    { agentGrants }: Pick<Tables, 'agentGrants'>,
    tell: RecordEvent,
    { applicationId, id, reason }: Pick<AgentGrantRow, 'applicationId' | 'id'> & { readonly reason: string },
  ): Promise<boolean> {
    const isEnded = await agentGrants.revoke({ applicationId, id }, now());
    if (isEnded) tell({ action: 'agent_grant.revoked', applicationId, object: id, reason });
    return isEnded;
  }

  const revoke: AgentGrants['revoke'] = async ({ applicationId, id }, reason) => {
    const isEnded = await commit((tables, tell) => revokeIn(tables, tell, { applicationId, id, reason }));
    narrowedTokens.clearCache();
    return isEnded;
  };

  /** Of a code that came twice nobody knows whose it is: what it was exchanged for ends (RFC 6749, section 4.1.2). */
  async function refuseCode(applicationId: string, digestOfCode: string): Promise<never> {
    const used = await storage.agentSignIns.findCode(applicationId, digestOfCode);
    if (used?.grantId) await revoke({ applicationId, id: used.grantId }, 'code_reused');
    throw badGrant('code');
  }

  return {
    async exchange(applicationId, form) {
      const access = await agentAccesses.get(applicationId);
      const digestOfCode = codeDigest(digest, form['code'] ?? '');
      const id = newId('grant', random);
      // A code that came with anything wrong is used up all the same.
      const taken = await commit(async ({ agentSignIns, agentGrants, agentClients }, tell) => {
        const row = await agentSignIns.takeCode({ applicationId, codeDigest: digestOfCode, now: now() }, id);
        if (!row) return 'unknown';
        if (!fitsSignIn(row, form) || !(await isKnownStill(row, agentClients, access))) return 'other';
        const grant = toGrant(row, id, now());
        await agentGrants.insert(grant);
        tell({ action: 'agent_grant.created', applicationId, object: id, reason: grant.clientName });
        return grant;
      });
      if (taken === 'unknown') return refuseCode(applicationId, digestOfCode);
      if (taken === 'other') throw badGrant('code, or what came with it,');
      return toTokens(taken, readLinks(taken.limits));
    },

    async refresh(applicationId, form) {
      await agentAccesses.get(applicationId);
      const shown = readRefreshToken(digest, form['refresh_token'] ?? '');
      const grant = shown && (await storage.agentGrants.findLive(shown.id, now()));
      const isRight =
        grant?.applicationId === applicationId &&
        grant.clientId === form['client_id'] &&
        (form['resource'] ?? grant.resource) === grant.resource;
      if (!shown || !grant || !isRight) throw badGrant('refresh token');
      const links = linksFor(grant, form['scope']);
      const key = { applicationId, ...shown, now: now() };
      const renewed = await storage.agentGrants.renew(key, now() + GRANT_LIFE_MS);
      if (renewed) return toTokens(renewed, links);
      // It was used before: by the client or by a thief, and nobody knows which of them has the newer one.
      await revoke(grant, 'refresh_reused');
      throw badGrant('refresh token');
    },

    async giveUp(applicationId, form) {
      const { token = '', client_id: clientId } = form;
      const chain = verifyToken(digest, token);
      // Whoever was given a narrower token does not end the wider one that it was made from.
      const isWhole = chain && isOfGrant(chain);
      const shown = readRefreshToken(digest, token) ?? (isWhole ? chain : undefined);
      const grant = shown && (await storage.agentGrants.findLive(shown.id, now()));
      if (!grant || grant.applicationId !== applicationId) return;
      const isNarrowed = chain !== undefined && chain.links.length > readLinks(grant.limits).length;
      if (grant.clientId !== clientId || isNarrowed)
        throw oauthError(
          'invalid_grant',
          'The token is not of this client, or was made narrower from one of it.',
        );
      await revoke(grant, 'given_up');
    },

    revoke,
  };
}
