import type { Consent } from '@svc/catalog';
import { readScopes, scopesOf } from '../connections/connection-oauth.js';
import type { Connector } from '../connections/connector.js';
import type { Account } from '../storage/accounts-table.js';
import type { ConnectionRow } from '../storage/schema.js';
import type { Approval } from './approval.js';

/** What a user is asked to allow: in words, or a scope for which nobody has any. */
export type Permission = Consent | { readonly scope: string };

/** All that the connect page asks. */
export interface Question extends Approval {
  readonly permissions: readonly Permission[];
}

/** A server that is discovered may name further scopes; nobody is asked for them before the user has agreed. */
function askedScopes(
  { auth }: Connector,
  connection: ConnectionRow,
  account: Pick<Account, 'wantedScopes'>,
): readonly string[] {
  const usual = auth.type === 'oauth2' ? scopesOf(connection, auth) : readScopes(connection.scopes ?? '[]');
  return [...usual, ...readScopes(account.wantedScopes ?? '[]')];
}

/** The scopes that the upstream will be asked for; those without words count as the connector's own sentence. */
export function permissionsOf(
  connector: Connector,
  connection: ConnectionRow,
  account: Pick<Account, 'wantedScopes'>,
): readonly Permission[] {
  const { auth, consent } = connector;
  const known = new Map('scopes' in auth ? auth.scopes.map((scope) => [scope.name, scope.consent]) : []);
  const scopes = askedScopes(connector, connection, account);
  const permissions = scopes.map((scope) => known.get(scope) ?? consent ?? { scope });
  const whole = permissions.length === 0 && consent ? [consent] : permissions;
  return [...new Map(whole.map((each) => [JSON.stringify(each), each])).values()];
}
