import type { Consent } from '@svc/catalog';
import { readScopes, scopesOf } from '../connections/connection-oauth.js';
import type { Connector } from '../connections/connector.js';
import type { Account } from '../storage/accounts-table.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { AccountParties } from './account-parties.js';

/**
 * Permission as the connect page shows it: the connector's sentence for the user, or the name of an OAuth scope for
 * which the connector has no sentence.
 */
export type Permission = Consent | { readonly scope: string };

/** Content of the connect page, on which the user agrees to the connection or declines it. */
export interface ConsentRequest extends AccountParties {
  readonly permissions: readonly Permission[];
}

/**
 * OAuth scopes that the service requests, as far as they are known before the user consents. An authorization server
 * found by discovery may add more scopes later.
 */
function requestedScopes(
  { auth }: Connector,
  connection: ConnectionRow,
  account: Pick<Account, 'wantedScopes'>,
): readonly string[] {
  const usual = auth.type === 'oauth2' ? scopesOf(connection, auth) : readScopes(connection.scopes ?? '[]');
  return [...usual, ...readScopes(account.wantedScopes ?? '[]')];
}

/**
 * Lists what the connect page asks the user to permit: for each requested OAuth scope, the connector's sentence about
 * this scope. A scope without a sentence gets the connector's general sentence.
 */
export function permissionsOf(
  connector: Connector,
  connection: ConnectionRow,
  account: Pick<Account, 'wantedScopes'>,
): readonly Permission[] {
  const { auth, consent } = connector;
  const known = new Map('scopes' in auth ? auth.scopes.map((scope) => [scope.name, scope.consent]) : []);
  const scopes = requestedScopes(connector, connection, account);
  const permissions = scopes.map((scope) => known.get(scope) ?? consent ?? { scope });
  const whole = permissions.length === 0 && consent ? [consent] : permissions;
  return [...new Map(whole.map((each) => [JSON.stringify(each), each])).values()];
}
