import { createHash } from 'node:crypto';
import { redirectUriOf } from '../connections/connection.js';
import { type DescribeOAuth, readScopes } from '../connections/connection-oauth.js';
import { authorizationUrl } from '../oauth/authorization-url.js';
import { newId, newToken, type Random } from '../random.js';
import { secret } from '../secret.js';
import type { Storage } from '../storage/storage.js';
import type { Digest } from '../vault/pepper.js';
import type { Vault } from '../vault/vault.js';
import { refusedBy } from './approval.js';
import { FLOW_LIFE_MS, flowDigests, verifierPlace } from './authorization-flow.js';
import type { AuthorizationLinks } from './authorization-links.js';

export interface BeginApprovalParts {
  readonly storage: Pick<Storage, 'authorizationFlows'>;
  readonly links: Pick<AuthorizationLinks, 'find' | 'use'>;
  readonly describeOAuth: DescribeOAuth;
  readonly vault: Vault;
  readonly digest: Digest;
  readonly environmentUrl: string;
  readonly now: () => number;
  readonly random: Random;
}

export function createBeginApproval(parts: BeginApprovalParts) {
  const { storage, links, describeOAuth, vault, digest, environmentUrl, now, random } = parts;

  return async (token: string, browser: string): Promise<{ redirectTo: string }> => {
    const { link, account, connection, approval } = await links.find(token);
    const {
      server,
      clientId,
      scopes: usual,
    } = await describeOAuth(connection).catch((error: unknown) => {
      throw refusedBy(error, approval);
    });
    // Rule O16: a step up asks for the old and the new, because the server forgets what is not asked for.
    const scopes = [...new Set([...usual, ...readScopes(account.wantedScopes ?? '[]')])];
    const [state, verifier] = [newToken(random), newToken(random)];
    const key = { applicationId: account.applicationId, id: newId('flow', random) };
    const codeVerifier = await vault.seal(verifierPlace(key), secret(verifier));
    await links.use(token);
    await storage.authorizationFlows.insertFlow({
      ...key,
      ...flowDigests(digest, state, { browser }),
      connectionId: connection.id,
      accountId: account.id,
      codeVerifier,
      clientId,
      issuer: server.issuer ?? null,
      tokenEndpoint: server.tokenEndpoint,
      scopes: JSON.stringify(scopes),
      replaceSubject: link.replaceSubject,
      successUrl: link.successUrl,
      failureUrl: link.failureUrl,
      expiresAt: now() + FLOW_LIFE_MS,
      consumedAt: null,
      refusedAt: null,
    });
    const redirectUri = redirectUriOf(environmentUrl, connection.id);
    const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
    return { redirectTo: authorizationUrl(server, { clientId, redirectUri, scopes, state, codeChallenge }) };
  };
}
