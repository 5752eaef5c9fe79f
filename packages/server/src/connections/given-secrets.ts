import { ServiceError } from '../errors.js';
import { type Secret, secret } from '../secret.js';
import type { ConnectionRow } from '../storage/schema.js';
import { type Connector, type Connectors, findConnector, keyField } from './connector.js';

/** The secrets of an account of a key connector. Each stays until another of its kind is given. */
export interface GivenSecrets {
  readonly apiKey?: string;
  readonly bearerToken?: string;
  /** Further ones by the names that the connector has for them. */
  readonly credentials?: Readonly<Record<string, string>>;
}

function keyOf({ title, auth }: Connector, { apiKey, bearerToken }: GivenSecrets): Secret | undefined {
  const field = keyField(auth.type);
  if (field === undefined) {
    throw new ServiceError(
      'invalid_request',
      `${title} is authorized by its user and takes no key; PUT without a body, then POST …/authorization-link.`,
    );
  }
  if (apiKey === undefined && bearerToken === undefined) return undefined;
  const [wanted, other] = field === 'apiKey' ? [apiKey, bearerToken] : [bearerToken, apiKey];
  if (wanted !== undefined && other === undefined) return secret(wanted);
  throw new ServiceError(
    'invalid_request',
    `${title} takes ${field} and nothing else; send { "${field}": "…" }.`,
  );
}

function checkCredentialNames({ title, auth }: Connector, { credentials = {} }: GivenSecrets): void {
  const known = 'credentials' in auth ? auth.credentials.map(({ name }) => name) : [];
  const unknown = Object.keys(credentials).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const advice = known.length === 0 ? 'leave credentials out' : `it has ${known.join(', ')}`;
  throw new ServiceError('invalid_request', `${title} has no credential "${unknown}"; ${advice}.`);
}

/** The key among them, if any. Throws invalid_request for what an account of the connection does not take. */
export function readKey(
  connectors: Connectors,
  connection: Pick<ConnectionRow, 'connector'>,
  given: GivenSecrets,
): Secret | undefined {
  if (Object.values(given).every((value) => value === undefined)) return undefined;
  const connector = findConnector(connectors, connection.connector);
  const key = keyOf(connector, given);
  checkCredentialNames(connector, given);
  return key;
}
