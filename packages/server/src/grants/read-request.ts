import { AGENT_SCOPES, READ_SCOPE, WRITE_SCOPE } from '../names/agent-scopes.js';
import { agentMcpPath } from '../names/agent-urls.js';
import { isPlainText } from '../text/plain-text.js';
import type { TokenLimits } from '../tokens/token-limits.js';

export type Parameters = Readonly<Record<string, string | undefined>>;

/** OAuth error of an invalid authorization request. The client gets it as redirect parameters. */
export interface OAuthProblem {
  readonly error: string;
  readonly description: string;
}

/** Validated parameters of an MCP client's authorization request. */
export interface AgentRequest {
  readonly state: string | null;
  readonly codeChallenge: string;
  readonly resource: string;
  /** Token limits of the requested scope: `readOnly` for the read scope alone, and an empty list for full access. */
  readonly limits: readonly TokenLimits[];
}

export interface ResourceOptions {
  readonly connectors: { has(connector: string): boolean };
  /** Base URL of this service, without a trailing slash. */
  readonly environmentUrl: string;
}

const S256_CHALLENGE = /^[\w-]{43}$/;
const MAX_STATE_CHARACTERS = 2048;

/**
 * Reads the query parameters of an authorization request. Returns the error message for a repeated parameter (RFC
 * 6749, section 3.1) or for characters that a database cannot store.
 */
export function readParameters(query: URLSearchParams): Parameters | string {
  const names = [...query.keys()];
  if (new Set(names).size < names.length)
    return 'A parameter of the authorization request occurs more than once. Send each parameter once.';
  if (![...query.values()].every(isPlainText))
    return 'A parameter of the authorization request contains a NUL character. Remove it.';
  return Object.assign(Object.create(null), Object.fromEntries(query));
}

/**
 * Returns the token limits for an OAuth scope: none if the scope is absent or allows writing. Returns `undefined` if no
 * name in the scope is known.
 */
export function linksOfScope(scope: string | undefined): readonly TokenLimits[] | undefined {
  const names = scope?.split(' ').filter((name) => name !== '') ?? [];
  if (names.length === 0 || names.includes(WRITE_SCOPE)) return [];
  return names.includes(READ_SCOPE) ? [{ readOnly: true }] : undefined;
}

/**
 * Returns the OAuth scope of a token with these limits: the read scope if one of them is `readOnly`, otherwise all
 * scopes.
 */
export const scopeOfLinks = (links: readonly TokenLimits[]): string =>
  links.some(({ readOnly }) => readOnly) ? READ_SCOPE : AGENT_SCOPES.join(' ');

/**
 * Returns the connector that a resource URL (RFC 8707) of this application's MCP endpoint names. Returns `null` for the
 * URL of the endpoint for all connectors, and `undefined` for any other URL.
 */
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

/**
 * Validates an authorization request. The caller must check the client and the redirect URI first, because errors are
 * redirected to it.
 */
export function readRequest(
  applicationId: string,
  parameters: Parameters,
  options: ResourceOptions,
): AgentRequest | OAuthProblem {
  const { response_type, code_challenge, code_challenge_method, state = null, scope } = parameters;
  if (response_type !== 'code')
    return problem(
      'unsupported_response_type',
      'This response_type is not supported. Send response_type=code.',
    );
  if (code_challenge_method !== 'S256' || !S256_CHALLENGE.test(code_challenge ?? ''))
    return problem(
      'invalid_request',
      'The code_challenge or its method is missing or invalid. Send code_challenge with code_challenge_method=S256 (RFC 7636).',
    );
  if ((state?.length ?? 0) > MAX_STATE_CHARACTERS)
    return problem(
      'invalid_request',
      `The parameter state is longer than ${MAX_STATE_CHARACTERS} characters. Shorten it.`,
    );
  const { resource = options.environmentUrl + agentMcpPath(applicationId) } = parameters;
  if (readResource(resource, applicationId, options) === undefined)
    return problem(
      'invalid_target',
      'The parameter resource is not the URL of an MCP endpoint of this authorization server. Send the URL of the MCP endpoint to which the client connects.',
    );
  const limits = linksOfScope(scope);
  if (limits === undefined)
    return problem(
      'invalid_scope',
      `None of the requested scopes exists. Request ${AGENT_SCOPES.join(' or ')}.`,
    );
  return { state, codeChallenge: code_challenge ?? '', resource, limits };
}
