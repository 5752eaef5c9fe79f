import type { Catalog } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { agentIssuer } from '../names/agent-urls.js';
import type { Storage } from '../storage/storage.js';
import { newId, newToken, type Random } from '../text/random.js';
import type { Digest } from '../vault/pepper.js';
import type { AgentAccess, AgentAccesses } from './agent-access.js';
import type { FindAgentClient } from './find-agent-client.js';
import type { OpenId } from './open-id.js';
import { type Parameters, readParameters, readRequest } from './read-request.js';
import { fitsRedirectUri, toRedirect } from './redirect-uris.js';
import { browserDigest, ticketDigest } from './sign-in-digests.js';

export interface BeginSignInParts {
  readonly storage: Pick<Storage, 'agentSignIns'>;
  readonly agentAccesses: Pick<AgentAccesses, 'get' | 'openIdOf'>;
  readonly openId: Pick<OpenId, 'begin'>;
  readonly findAgentClient: FindAgentClient;
  readonly catalog: Pick<Catalog, 'connectors'>;
  readonly environmentUrl: string;
  readonly digest: Digest;
  readonly now: () => number;
  readonly random: Random;
}

export interface Redirect {
  readonly redirectTo: string;
}

const LIFE_MS = 10 * 60_000;

const unknownClient = (message: string): ServiceError =>
  new ServiceError('invalid_request', message, { reason: 'client_unknown' });

export const signInIsOver = (): ServiceError =>
  new ServiceError(
    'forbidden',
    'This sign-in does not exist or has expired. Start again in the MCP client.',
    {
      reason: 'approval_over',
    },
  );

export function createBeginSignIn(parts: BeginSignInParts) {
  const { storage, agentAccesses, openId, findAgentClient, catalog } = parts;
  const { environmentUrl, digest, now, random } = parts;

  /**
   * Checks that the redirect URI is registered for the client. It runs before any redirect, because an unchecked
   * redirect could lead to an attacker's site.
   */
  async function checkClient(applicationId: string, parameters: Parameters) {
    const { client_id: clientId = '', redirect_uri: redirectUri = '' } = parameters;
    const client = await findAgentClient(applicationId, clientId);
    if (client === undefined)
      throw unknownClient('There is no client with this client_id. Register the client, then start again.');
    if (fitsRedirectUri(client.redirectUris, redirectUri))
      return { clientId, clientName: client.name, redirectUri };
    throw unknownClient(
      'The redirect_uri is not registered for this client. Send a registered redirect URI, exactly as registered.',
    );
  }

  async function signInUrlOf(access: AgentAccess, applicationId: string, ticket: string): Promise<string> {
    const { signInUrl, openId: settings } = access;
    if (settings === undefined) return toRedirect(signInUrl ?? '', { sign_in_ticket: ticket });
    const withSecret = await agentAccesses.openIdOf(applicationId, settings.issuer);
    if (withSecret === undefined) throw signInIsOver();
    return openId.begin(withSecret, { applicationId, ticket });
  }

  /**
   * Stores a new sign-in of a user at an MCP client. Returns the URL to which the browser is redirected: the
   * application's sign-in, or the client's redirect URI with an OAuth error.
   */
  async function beginSignIn(
    applicationId: string,
    query: URLSearchParams,
    browser: string,
  ): Promise<Redirect> {
    const access = await agentAccesses.get(applicationId);
    const parameters = readParameters(query);
    if (typeof parameters === 'string') throw unknownClient(parameters);
    const client = await checkClient(applicationId, parameters);
    const request = readRequest(applicationId, parameters, {
      connectors: catalog.connectors,
      environmentUrl,
    });
    if ('error' in request) {
      const { error, description: error_description } = request;
      const [iss, state] = [agentIssuer(environmentUrl, applicationId), parameters['state'] ?? null];
      return { redirectTo: toRedirect(client.redirectUri, { error, error_description, state, iss }) };
    }
    const ticket = newToken(random);
    const redirectTo = await signInUrlOf(access, applicationId, ticket);
    await storage.agentSignIns.insert({
      id: newId('asign', random),
      applicationId,
      clientId: client.clientId,
      clientName: client.clientName,
      redirectUri: client.redirectUri,
      state: request.state,
      codeChallenge: request.codeChallenge,
      resource: request.resource,
      limits: JSON.stringify([access.limits, ...request.limits]),
      ticketDigest: ticketDigest(digest, ticket),
      issuer: access.openId?.issuer ?? null,
      browserDigest: browserDigest(digest, browser),
      identifier: null,
      returnDigest: null,
      codeDigest: null,
      grantId: null,
      endedAt: null,
      expiresAt: now() + LIFE_MS,
    });
    return { redirectTo };
  }
  return beginSignIn;
}

export type BeginSignIn = ReturnType<typeof createBeginSignIn>;
