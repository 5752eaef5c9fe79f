import { call, type RequestOf, type ResponseOf } from '../../api/call.ts';
import type { AuthType } from '../../words/states.ts';
import { type AccountPath, requestOf } from './authorization-link.tsx';

const PUT =
  'PUT /operator/v1/applications/{applicationId}/connections/{connectionName}/accounts/{identifier}';

type Secrets = RequestOf<typeof PUT>['body'];

/**
 * Stores the key, token or secondary credentials (other secrets that the connector needs) of an account. Creates the
 * account if it does not exist.
 */
export const saveSecrets = (path: AccountPath, body: Secrets): Promise<ResponseOf<typeof PUT>> =>
  call(PUT, { ...requestOf(path), body });

export interface TypedSecrets {
  readonly key: string;
  /**
   * Secondary credentials (secrets that the connector needs in addition to the key or token), by their names in the
   * connector.
   */
  readonly credentials: Readonly<Record<string, string>>;
}

export const NO_SECRETS: TypedSecrets = { key: '', credentials: {} };

/**
 * Builds the request body from the typed secrets. Empty fields are omitted, so that the service keeps their stored
 * values.
 */
export function secretsOf(authType: AuthType, { key, credentials }: TypedSecrets): Secrets {
  const typed = Object.entries(credentials).filter(([, value]) => value !== '');
  return {
    ...(key !== '' && (authType === 'bearer_token' ? { bearerToken: key } : { apiKey: key })),
    ...(typed.length > 0 && { credentials: Object.fromEntries(typed) }),
  };
}
