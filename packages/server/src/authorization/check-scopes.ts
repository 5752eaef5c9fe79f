import { hash } from 'node:crypto';
import { closestName } from '@svc/catalog';
import { redirectUriOf } from '../connections/connection.js';
import type { ConnectionOAuth } from '../connections/connection-oauth.js';
import type { Connector } from '../connections/connector.js';
import { lastSegmentOf, listedScopesOf } from '../connections/listed-scopes.js';
import { authorizationUrl } from '../oauth/authorization-url.js';
import type { MetadataAccess } from '../oauth/metadata-document.js';
import { readLimited } from '../oauth/read-limited.js';
import type { ConnectionRow } from '../storage/schema.js';
import { type CheckStep, explain, failed, skipped } from './check-step.js';

const MAX_BYTES = 64 * 1024;
const REFUSAL = 'invalid_scope';
/** State and code challenge of a test request, whose code nobody exchanges. */
const STATE = 'check';
const CODE_CHALLENGE = hash('sha256', STATE, 'base64url');

/** Names the scopes of a connection that its connector does not list, each with the listed scope that looks alike. */
function describeUnlisted(unlisted: readonly string[], listed: readonly string[]): string {
  const bySegment = new Map(listed.map((name) => [lastSegmentOf(name), name]));
  const named = unlisted.map((scope) => {
    const meant = bySegment.get(closestName(lastSegmentOf(scope), [...bySegment.keys()]) ?? '');
    return meant === undefined ? `"${scope}"` : `"${scope}" (did you mean "${meant}"?)`;
  });
  return named.join(', ');
}

/** Returns true if the authorization server refuses the scopes, on a page of its own or in a redirect. */
async function refusesScopes(response: Response): Promise<boolean> {
  if (response.status >= 400) return (await readLimited(response, { limit: MAX_BYTES })).includes(REFUSAL);
  await response.body?.cancel();
  return (response.headers.get('location') ?? '').includes(`error=${REFUSAL}`);
}

interface CheckScopesParts {
  readonly fetch: MetadataAccess['fetch'];
  readonly environmentUrl: string;
}

/** Creates the check of the scopes that a connection requests. */
export function createCheckScopes({ fetch, environmentUrl }: CheckScopesParts) {
  /**
   * Requests the consent page of the authorization server if the connection has scopes that are missing from its
   * connector's list. Returns no step if the list contains all of them, or if the connector has no list of scopes.
   */
  return async function checkScopes(
    { id, name }: ConnectionRow,
    connector: Connector,
    { server, clientId, scopes }: ConnectionOAuth,
  ): Promise<readonly CheckStep[]> {
    const listed = listedScopesOf(connector);
    const unlisted = scopes.filter((scope) => !listed.includes(scope));
    if (listed.length === 0 || unlisted.length === 0) return [];
    const found = `The catalogue does not list ${describeUnlisted(unlisted, listed)}.`;
    const redirectUri = redirectUriOf(environmentUrl, id);
    const request = { clientId, redirectUri, scopes, state: STATE, codeChallenge: CODE_CHALLENGE };
    try {
      const url = authorizationUrl(server, request);
      const response = await fetch(url, { redirect: 'manual', connector: connector.id });
      if (await refusesScopes(response))
        return [
          failed(
            'scopes',
            `The authorization server refuses the scopes. ${found} Correct them with PATCH /v1/connections/${name}.`,
          ),
        ];
    } catch (error) {
      return [skipped('scopes', `${found} The authorization server could not be asked. ${explain(error)}`)];
    }
    const advice =
      'The authorization server may refuse them after the sign-in. Connect an account to test them.';
    return [skipped('scopes', `${found} ${advice}`)];
  };
}
