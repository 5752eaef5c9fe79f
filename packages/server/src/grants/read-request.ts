import { AGENT_SCOPES, READ_SCOPE, WRITE_SCOPE } from '../names/agent-scopes.js';
import { agentMcpPath } from '../names/agent-urls.js';
import { isPlainText } from '../text/plain-text.js';
import type { TokenLimits } from '../tokens/token-limits.js';

export type Parameters = Readonly<Record<string, string | undefined>>;

/** An OAuth error of an authorization request. */
export interface OAuthProblem {
  readonly error: string;
  readonly description: string;
}

/** A valid authorization request of a client. */
export interface AgentRequest {
  readonly state: string | null;
  readonly codeChallenge: string;
  readonly resource: string;
  /** One limit if the request has a narrower scope; empty otherwise. */
  readonly limits: readonly TokenLimits[];
}

export interface ResourceOptions {
  readonly connectors: { has(connector: string): boolean };
  /** URL of this service, without a slash at the end. */
  readonly environmentUrl: string;
}

const S256_CHALLENGE = /^[\w-]{43}$/;
const LONGEST_STATE = 2048;

/** Reads the parameters; `undefined` if one is repeated (RFC 6749, section 3.1), or has characters that no database stores. */
export function readParameters(query: URLSearchParams): Parameters | undefined {
  const names = [...query.keys()];
  if (new Set(names).size < names.length || ![...query.values()].every(isPlainText)) return undefined;
  return Object.assign(Object.create(null), Object.fromEntries(query));
}

/** Returns the token limits of a scope; `undefined` for unknown scopes only. An absent scope means all rights. */
export function linksOfScope(scope: string | undefined): readonly TokenLimits[] | undefined {
  const names = scope?.split(' ').filter((name) => name !== '') ?? [];
  if (names.length === 0 || names.includes(WRITE_SCOPE)) return [];
  return names.includes(READ_SCOPE) ? [{ readOnly: true }] : undefined;
}

/** Gives the scope that links allow. */
export const scopeOfLinks = (links: readonly TokenLimits[]): string =>
  links.some(({ readOnly }) => readOnly) ? READ_SCOPE : AGENT_SCOPES.join(' ');

/** Gives the connector of a resource of this application; `null` for all connectors, `undefined` for other resources. */
export function readResource(
  resource: string,
  applicationId: string,
  { connectors, environmentUrl }: ResourceOptions,
): string | null | undefined {
  const all = environmentUrl + agentMcpPath(applicationId);
  if (resource === all) return null;
  const connector = resource.startsWith(`${all}/`) ? resource.slice(all.length + 1) : '';
  return connectors.has(connector) ? connector : undefined;
}

const problem = (error: string, description: string): OAuthProblem => ({ error, description });

/** Reads a request, or finds its error. Call it after the client and the redirect URI were checked. */
export function readRequest(
  applicationId: string,
  parameters: Parameters,
  options: ResourceOptions,
): AgentRequest | OAuthProblem {
  const { response_type, code_challenge, code_challenge_method, state = null, scope } = parameters;
  if (response_type !== 'code') return problem('unsupported_response_type', 'response_type must be "code".');
  if (code_challenge_method !== 'S256' || !S256_CHALLENGE.test(code_challenge ?? ''))
    return problem('invalid_request', 'Send a code_challenge with code_challenge_method=S256 (RFC 7636).');
  if ((state?.length ?? 0) > LONGEST_STATE)
    return problem('invalid_request', `The state has more than ${LONGEST_STATE} characters.`);
  const { resource = options.environmentUrl + agentMcpPath(applicationId) } = parameters;
  if (readResource(resource, applicationId, options) === undefined)
    return problem('invalid_target', 'The resource does not belong to this authorization server.');
  const limits = linksOfScope(scope);
  if (limits === undefined)
    return problem('invalid_scope', `The allowed scopes are ${AGENT_SCOPES.join(' and ')}.`);
  return { state, codeChallenge: code_challenge ?? '', resource, limits };
}
