import { ServiceError } from '../errors.js';
import type { Storage } from '../storage/storage.js';
import type { NarrowedTokens } from '../tokens/narrowed-tokens.js';
import { isOfGrant, isTooLong, narrowToken, type TokenChain } from '../tokens/token-chain.js';
import { expiryOf, findBrokenByName, type TokenLimits } from '../tokens/token-limits.js';
import type { AgentAccesses } from './agent-access.js';
import { linksOfScope, type Parameters, scopeOfLinks } from './read-request.js';

export interface ExchangeTokenParts {
  readonly storage: Pick<Storage, 'agentGrants'>;
  readonly agentAccesses: Pick<AgentAccesses, 'get'>;
  readonly narrowedTokens: Pick<NarrowedTokens, 'authenticate'>;
  readonly now: () => number;
}

/** Response body of an OAuth token exchange (RFC 8693, section 2.2.1). */
export interface ExchangedToken {
  readonly access_token: string;
  readonly issued_token_type: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly scope: string;
}

export const EXCHANGE_GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

const refused = (oauthError: string, message: string): ServiceError =>
  new ServiceError('invalid_request', message, { oauthError });

function checkForm(form: Parameters): void {
  const { subject_token_type: subjectType, requested_token_type: requestedType = ACCESS_TOKEN } = form;
  if (subjectType !== ACCESS_TOKEN)
    throw refused(
      'invalid_request',
      `The subject_token_type is not ${ACCESS_TOKEN}, the only supported type. Send this type.`,
    );
  if (requestedType !== ACCESS_TOKEN)
    throw refused(
      'invalid_request',
      `The requested_token_type is not ${ACCESS_TOKEN}, the only supported type. Omit requested_token_type.`,
    );
  if (form['actor_token'] !== undefined)
    throw refused('invalid_request', 'Delegation is not supported. Omit actor_token.');
}

/**
 * Returns the limits that the requested scope and resource add to the token. A token exchange can only narrow a token.
 */
function linksOf(
  links: readonly TokenLimits[],
  { scope, resource }: Parameters,
  now: number,
): readonly TokenLimits[] {
  const less = linksOfScope(scope);
  if (less === undefined)
    throw refused(
      'invalid_scope',
      'None of the requested scopes exists. Send scopes from scopes_supported in the metadata of the authorization server.',
    );
  if (resource === undefined) return less;
  const nobody = { connectionName: '', identifier: '' };
  const audiences = links.flatMap(({ audience }) => (audience === undefined ? [] : [{ audience }]));
  if (findBrokenByName(audiences, { at: now, audience: resource, ...nobody }) !== undefined)
    throw refused(
      'invalid_target',
      'The subject_token is not valid for this resource. Request a resource that the subject_token allows.',
    );
  return [...less, { audience: resource }];
}

const isRefusal = (error: unknown): boolean => error instanceof ServiceError && error.status === 401;

export function createExchangeToken(parts: ExchangeTokenParts) {
  const { storage, agentAccesses, narrowedTokens, now } = parts;

  async function authenticate(presented: string): Promise<TokenChain | undefined> {
    try {
      return (await narrowedTokens.authenticate(presented)).token;
    } catch (error) {
      if (isRefusal(error)) return undefined;
      throw error;
    }
  }

  /**
   * Exchanges a client's access token for a narrower one. A client can also narrow a token without this request: it
   * appends limits and computes the HMAC itself.
   */
  async function exchangeToken(applicationId: string, form: Parameters): Promise<ExchangedToken> {
    await agentAccesses.get(applicationId);
    checkForm(form);
    const presented = form['subject_token'] ?? '';
    const token = await authenticate(presented);
    const grant = token && isOfGrant(token) ? await storage.agentGrants.findLive(token.id, now()) : undefined;
    const isOwn = grant?.applicationId === applicationId && grant.clientId === form['client_id'];
    if (!token || !isOwn)
      throw refused(
        'invalid_grant',
        'The subject_token is not a valid access token of this client. Send an access token that the token endpoint issued to this client.',
      );
    const added = linksOf(token.links, form, now());
    const links = [...token.links, ...added];
    const narrowed = added.reduce(narrowToken, presented);
    if (isTooLong(narrowed, links))
      throw refused(
        'invalid_request',
        'The new token would be too long, because the subject_token was already narrowed many times. Exchange the token from which it was derived.',
      );
    return {
      access_token: narrowed,
      issued_token_type: ACCESS_TOKEN,
      token_type: 'Bearer',
      expires_in: Math.max(0, Math.floor(expiryOf(links) - now() / 1000)),
      scope: scopeOfLinks(links),
    };
  }
  return exchangeToken;
}

export type ExchangeToken = ReturnType<typeof createExchangeToken>;
