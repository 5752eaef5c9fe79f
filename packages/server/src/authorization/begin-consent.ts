import { createHash } from 'node:crypto';
import { redirectUriOf } from '../connections/connection.js';
import type { DescribeOAuth } from '../connections/connection-oauth.js';
import { authorizationUrl } from '../oauth/authorization-url.js';
import { secret } from '../secret.js';
import type { Storage } from '../storage/storage.js';
import { newId, newToken, type Random } from '../text/random.js';
import type { Digest } from '../vault/pepper.js';
import type { Vault } from '../vault/vault.js';
import { toConsentError } from './account-parties.js';
import { codeVerifierLocation, FLOW_LIFE_MS, flowDigests } from './authorization-flow.js';
import type { AuthorizationLinks } from './authorization-links.js';
import type { LinkResults } from './link-results.js';
import { requestedScopes } from './permissions.js';

export interface BeginConsentParts {
  readonly storage: Pick<Storage, 'authorizationFlows'>;
  readonly links: Pick<AuthorizationLinks, 'find' | 'use'>;
  readonly results: Pick<LinkResults, 'resultUrl'>;
  readonly describeOAuth: DescribeOAuth;
  readonly vault: Vault;
  readonly digest: Digest;
  readonly environmentUrl: string;
  readonly now: () => number;
  readonly random: Random;
}

export function createBeginConsent(parts: BeginConsentParts) {
  const { storage, links, results, describeOAuth, vault, digest, environmentUrl, now, random } = parts;

  /**
   * Uses the one-time authorization link, stores an OAuth flow for this browser and returns the URL of the upstream's
   * consent page. Returns the URL of the result page if the link has ended in this browser.
   */
  async function beginConsent(token: string, browser: string): Promise<{ readonly redirectTo: string }> {
    const found = await links.find(token, browser);
    if ('endedLinkId' in found) return { redirectTo: results.resultUrl(found.endedLinkId) };
    const { link, account, connection, request } = found;
    const described = await describeOAuth(connection).catch((error: unknown) => {
      throw toConsentError(error, request);
    });
    const { server, clientId } = described;
    const scopes = requestedScopes(described.scopes, { link, account });
    const [state, verifier] = [newToken(random), newToken(random)];
    const key = { applicationId: account.applicationId, id: newId('flow', random) };
    const codeVerifier = await vault.seal(codeVerifierLocation(key), secret(verifier));
    await links.use(token, browser);
    await storage.authorizationFlows.insert({
      ...key,
      ...flowDigests(digest, state, { browser }),
      connectionId: connection.id,
      accountId: account.id,
      linkId: link.id,
      codeVerifier,
      clientId,
      issuer: server.issuer ?? null,
      tokenEndpoint: server.tokenEndpoint,
      scopes: JSON.stringify(scopes),
      replaceSubject: link.replaceSubject,
      successUrl: link.successUrl,
      failureUrl: link.failureUrl,
      applicationState: link.applicationState,
      expiresAt: now() + FLOW_LIFE_MS,
      consumedAt: null,
      refusedAt: null,
    });
    const redirectUri = redirectUriOf(environmentUrl, connection.id);
    const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
    return { redirectTo: authorizationUrl(server, { clientId, redirectUri, scopes, state, codeChallenge }) };
  }
  return beginConsent;
}

export type BeginConsent = ReturnType<typeof createBeginConsent>;
