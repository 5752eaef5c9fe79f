import type { Connector, ErrorRule } from '@svc/catalog';
import { findVerifyRequest } from '../connections/connector.js';
import type { CredentialTrial, VerifyCredential } from '../connections/verify-credential.js';
import type { HttpResponse, SendHttp } from '../http/send-http.js';
import { createFindDestination } from './destination.js';
import { findErrorRule } from './error-rule.js';
import { ACCEPTED_ENCODINGS, readJson } from './read-json.js';
import { createBuildTarget } from './target.js';

interface SendVerifyRequestParts {
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly send: SendHttp;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;
const UNKNOWN = { outcome: 'unknown' } as const;
const HEADERS = ['accept', 'application/json', 'accept-encoding', ACCEPTED_ENCODINGS];

/** Reads the response body of a verify request. Throws if the body is larger than 256 KiB. */
function readSmall(response: HttpResponse): Promise<unknown> {
  let left = MAX_BYTES;
  const take = (bytes: number) => {
    left -= bytes;
    if (left < 0)
      throw new Error(
        `The upstream's response to the verify request is larger than the maximum of ${MAX_BYTES} bytes, so the key is not tested. Call a tool to test the key.`,
      );
  };
  return readJson(response, 'GET', { take });
}

/**
 * Decides from the response to a verify request whether the upstream accepts the credential. 401 always means that it
 * is refused, because a valid credential never gets 401 here.
 */
function trialOf(status: number, body: unknown, rule: ErrorRule | undefined): CredentialTrial {
  if (status === 401 || rule?.endsCredential) return { outcome: 'refused', status, advice: rule?.advice };
  return status < 300 && rule === undefined ? { outcome: 'accepted', body } : UNKNOWN;
}

export function createSendVerifyRequest({ connectors, send }: SendVerifyRequestParts): VerifyCredential {
  const buildTarget = createBuildTarget();
  const compiled = new Map(
    [...connectors].map(([id, connector]) => [
      id,
      { connector, findDestination: createFindDestination(connector) },
    ]),
  );

  /**
   * Sends the connector's verify request to test a credential. Its outcome is `unknown` if the upstream does not
   * respond.
   */
  return async function sendVerifyRequest({ applicationId, connector: id, addresses, secret, name }) {
    const compiledConnector = compiled.get(id);
    if (!compiledConnector) return UNKNOWN;
    const { connector, findDestination } = compiledConnector;
    const request = findVerifyRequest(connector, name);
    if (request === undefined) return UNKNOWN;
    const { baseUrl, host } = findDestination(addresses, request.host);
    const [path = '', query = ''] = request.path.split('?', 2);
    const target = buildTarget(baseUrl, { path, query });
    const outgoing = host.inject({ path: target.path, headers: host.headers(HEADERS) }, secret);
    try {
      const response = await send({
        origin: target.origin,
        path: outgoing.path,
        headers: [...outgoing.headers],
        owner: applicationId,
        connector: id,
        method: 'GET',
        totalMs: TIMEOUT_MS,
      });
      const body = await readSmall(response);
      return trialOf(response.status, body, findErrorRule(connector.errors, response.status, body));
    } catch {
      return UNKNOWN;
    }
  };
}
