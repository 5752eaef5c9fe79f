import createClient, { defaultPathSerializer } from 'openapi-fetch';
import type { components, paths } from './schema.ts';

/** Error of the service. `code` is stable; the message is for people. */
export class ServiceError extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor({ error: { code, message, details = {}, requestId } }: components['schemas']['Error']) {
    super(`${code}: ${message} (request ${requestId})`);
    this.code = code;
    this.details = details;
  }
}

/** Encodes parameters of the path. The slashes in the path of a proxied request stay slashes. */
function serializePath(
  pathname: string,
  { path = '', ...params }: Readonly<Record<string, unknown>>,
): string {
  return defaultPathSerializer(pathname, params).replace('{path}', String(path));
}

/** Settings that `npm start` of the service prints. */
export interface Settings {
  readonly environmentUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Gets an access token by client credentials, and creates a client that sends it. It is valid for 15 minutes. */
export async function connect({ environmentUrl: baseUrl, clientId, clientSecret }: Settings) {
  const { data, error } = await createClient<paths>({ baseUrl }).POST('/oauth/token', {
    body: { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    bodySerializer: (body) => new URLSearchParams(body as Record<string, string>),
  });
  if (data === undefined) throw new Error(`No access token: ${JSON.stringify(error)}`);
  const headers = { authorization: `Bearer ${data.access_token}` };
  return createClient<paths>({ baseUrl, headers, pathSerializer: serializePath });
}

interface Outcome<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns the data of a response. Throws a `ServiceError` if the service responded with an error. */
export function dataOf<Data>({ data, error, response }: Outcome<Data>): Data {
  if (response.headers.has('svc-error')) throw new ServiceError(error as components['schemas']['Error']);
  if (!response.ok) throw new Error(`The upstream responded with status ${response.status}.`);
  return data as Data;
}
