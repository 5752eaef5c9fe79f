import type { Catalog } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { agentIssuer } from '../names/agent-urls.js';
import { newId, newToken, type Random } from '../random.js';
import type { Storage } from '../storage/storage.js';
import type { Digest } from '../vault/pepper.js';
import type { AgentAccess, AgentAccesses } from './agent-access.js';
import type { FindClient } from './find-client.js';
import type { OpenId } from './open-id.js';
import { type Parameters, readParameters, readRequest } from './read-request.js';
import { fitsRedirectUri, toRedirect } from './redirect-uris.js';
import { browserDigest, ticketDigest } from './sign-in-digests.js';

export interface BeginSignInParts {
  readonly storage: Pick<Storage, 'agentSignIns'>;
  readonly agentAccesses: Pick<AgentAccesses, 'get' | 'openIdOf'>;
  readonly openId: Pick<OpenId, 'begin'>;
  readonly findClient: FindClient;
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
  new ServiceError('forbidden', 'There is no such sign-in.', { reason: 'approval_over' });

/** Sends the browser of a client's user to where the application's users sign in, or back with what was asked for wrongly. */
export function createBeginSignIn(parts: BeginSignInParts) {
  const { agentAccesses, openId, findClient, catalog, environmentUrl, digest, now, random } = parts;

  /** The client, which is the one that the redirect URI belongs to; nobody is sent anywhere before that is known. */
  async function checkClient(applicationId: string, given: Parameters) {
    const { client_id: clientId = '', redirect_uri: redirectUri = '' } = given;
    const client = await findClient(applicationId, clientId);
    if (client === undefined) throw unknownClient('There is no client with this client_id.');
    if (fitsRedirectUri(client.redirectUris, redirectUri))
      return { clientId, clientName: client.name, redirectUri };
    throw unknownClient('The redirect_uri is none that this client has registered, letter by letter.');
  }

  async function signInAt(access: AgentAccess, applicationId: string, ticket: string): Promise<string> {
    const { signInUrl, openId: settings } = access;
    if (settings === undefined) return toRedirect(signInUrl ?? '', { sign_in_ticket: ticket });
    const whole = await agentAccesses.openIdOf(applicationId, settings.issuer);
    if (whole === undefined) throw signInIsOver();
    return openId.begin(whole, { applicationId, ticket });
  }

  return async (applicationId: string, query: URLSearchParams, browser: string): Promise<Redirect> => {
    const access = await agentAccesses.get(applicationId);
    const given = readParameters(query);
    if (given === undefined) throw unknownClient('A parameter stands there twice, or holds a NUL character.');
    const client = await checkClient(applicationId, given);
    const request = readRequest(applicationId, given, { connectors: catalog.connectors, environmentUrl });
    if ('error' in request) {
      const { error, description: error_description } = request;
      const [iss, state] = [agentIssuer(environmentUrl, applicationId), given['state'] ?? null];
      return { redirectTo: toRedirect(client.redirectUri, { error, error_description, state, iss }) };
    }
    const ticket = newToken(random);
    const redirectTo = await signInAt(access, applicationId, ticket);
    await parts.storage.agentSignIns.insert({
      id: newId('asign', random),
      applicationId,
      ...client,
      ...request,
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
  };
}
