import { AGENT_SCOPES, READ_SCOPE, WRITE_SCOPE } from '../names/agent-scopes.js';
import { agentMcpPath } from '../names/agent-urls.js';
import { isPlainText } from '../text/plain-text.js';
import type { TokenLimits } from '../tokens/token-limits.js';

export type Parameters = Readonly<Record<string, string | undefined>>;

/** What a client asked for wrongly, in the words of OAuth. */
export interface OAuthProblem {
  readonly error: string;
  readonly description: string;
}

/** What a client asks its user for. */
export interface AgentRequest {
  readonly state: string | null;
  readonly codeChallenge: string;
  readonly resource: string;
  /** One more limit where it asks for less than there is. */
  readonly limits: readonly TokenLimits[];
}

export interface ResourceParts {
  readonly connectors: { has(connector: string): boolean };
  /** Of the service, without a slash at the end. */
  readonly environmentUrl: string;
}

const S256_CHALLENGE = /^[\w-]{43}$/;
const LONGEST_STATE = 2048;

/** Each once (RFC 6749, section 3.1); `undefined` where one stands there twice, or holds what no database keeps. */
export function readParameters(query: URLSearchParams): Parameters | undefined {
  const names = [...query.keys()];
  if (new Set(names).size < names.length || ![...query.values()].every(isPlainText)) return undefined;
  return Object.assign(Object.create(null), Object.fromEntries(query));
}

/** The links that a scope adds; `undefined` where nothing in it is known. Clients that name none want everything. */
export function linksOfScope(scope: string | undefined): readonly TokenLimits[] | undefined {
  const named = scope?.split(' ').filter((name) => name !== '') ?? [];
  if (named.length === 0 || named.includes(WRITE_SCOPE)) return [];
  return named.includes(READ_SCOPE) ? [{ readOnly: true }] : undefined;
}

/** The scope of what links leave. */
export const scopeOfLinks = (links: readonly TokenLimits[]): string =>
  links.some(({ readOnly }) => readOnly) ? READ_SCOPE : AGENT_SCOPES.join(' ');

/** The connector that a resource of this application is about, `null` for all; `undefined` for another resource. */
export function readResource(
  resource: string,
  applicationId: string,
  { connectors, environmentUrl }: ResourceParts,
): string | null | undefined {
  const all = environmentUrl + agentMcpPath(applicationId);
  if (resource === all) return null;
  const connector = resource.startsWith(`${all}/`) ? resource.slice(all.length + 1) : '';
  return connectors.has(connector) ? connector : undefined;
}

const problem = (error: string, description: string): OAuthProblem => ({ error, description });

/** What is asked for, or what is wrong with it, once the client and its redirect URI are known to be right. */
export function readRequest(
  applicationId: string,
  given: Parameters,
  parts: ResourceParts,
): AgentRequest | OAuthProblem {
  const { response_type, code_challenge, code_challenge_method, state = null, scope } = given;
  if (response_type !== 'code') return problem('unsupported_response_type', 'response_type must be "code".');
  if (code_challenge_method !== 'S256' || !S256_CHALLENGE.test(code_challenge ?? ''))
    return problem('invalid_request', 'Send a code_challenge with code_challenge_method=S256 (RFC 7636).');
  if ((state?.length ?? 0) > LONGEST_STATE)
    return problem('invalid_request', `The state has more than ${LONGEST_STATE} characters.`);
  const { resource = parts.environmentUrl + agentMcpPath(applicationId) } = given;
  if (readResource(resource, applicationId, parts) === undefined)
    return problem('invalid_target', 'The resource is none of this authorization server.');
  const limits = linksOfScope(scope);
  if (limits === undefined) return problem('invalid_scope', `The scopes are ${AGENT_SCOPES.join(' and ')}.`);
  return { state, codeChallenge: code_challenge ?? '', resource, limits };
}
