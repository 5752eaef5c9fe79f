import type { Consent, KeyAuth } from '@svc/catalog';
import { readScopes, scopesOf } from '../connections/connection-oauth.js';
import { type Connector, findVerifyRequest } from '../connections/connector.js';
import { lastSegmentOf, listedScopesOf } from '../connections/listed-scopes.js';
import type { StoredAccount } from '../storage/accounts-table.js';
import type { AuthorizationLinkRow } from '../storage/authorization-rows.js';
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
  /** True if the consent may replace the connected upstream user by another upstream user. */
  readonly mayReplace: boolean;
  /** True if this browser already went on to the upstream with the link. */
  readonly isBegun: boolean;
  /** True if the upstream refuses a sign-in inside the embedded browser of another app. */
  readonly refusesInAppBrowsers: boolean;
  /** Fields in which the user enters a key; `undefined` for a connector with OAuth. */
  readonly keyForm: KeyForm | undefined;
}

/** Fields of the connect page of a connector with keys. */
export interface KeyForm extends Pick<KeyAuth, 'type' | 'credentials'> {
  /** Instructions, by language, that tell a user step by step how to get the key at the upstream. */
  readonly steps: readonly Consent[];
  /** True if the key is tried at the upstream before it is stored. */
  readonly isTried: boolean;
}

export function keyFormOf(connector: Connector): KeyForm | undefined {
  const { auth } = connector;
  if (auth.type !== 'api_key' && auth.type !== 'bearer_token') return undefined;
  const { type, credentials, steps = [] } = auth;
  return { type, credentials, steps, isTried: findVerifyRequest(connector) !== undefined };
}

/** Authorization link and account for which a user consents. */
export interface LinkedAccount {
  readonly link: Pick<AuthorizationLinkRow, 'requestedScopes'>;
  readonly account: Pick<StoredAccount, 'wantedScopes'>;
}

// Scope of OpenID Connect. The ID token names the user, so a link cannot leave this scope out.
const OPENID = 'openid';

/**
 * Returns the OAuth scopes that a consent requests: the connection's scopes, or those that the authorization link
 * chooses from them. `wantedScopes` contains the scopes granted before and the additional scopes. All are requested
 * together, because the server drops scopes that are not requested again (rule O16 in security-rules.md).
 */
export function requestedScopes(
  connectionScopes: readonly string[],
  { link, account }: LinkedAccount,
): readonly string[] {
  const chosen =
    link.requestedScopes === null ? undefined : new Set([OPENID, ...readScopes(link.requestedScopes)]);
  const usual = chosen ? connectionScopes.filter((scope) => chosen.has(scope)) : connectionScopes;
  return [...new Set([...usual, ...readScopes(account.wantedScopes ?? '[]')])];
}

// Scopes of a connection as far as they are known before the user consents. An authorization server found by discovery
// may add more scopes later.
const knownScopes = ({ auth }: Connector, connection: Pick<ConnectionRow, 'scopes'>): readonly string[] =>
  auth.type === 'oauth2' ? scopesOf(connection, auth) : readScopes(connection.scopes ?? '[]');

/**
 * Lists what the connect page asks the user to permit: for each requested OAuth scope, the connector's sentence about
 * this scope. A scope without a sentence gets the connector's general sentence. A scope that the connector does not
 * list is shown by its name, because the general sentence may say too much or too little about it.
 */
export function permissionsOf(
  connector: Connector,
  connection: Pick<ConnectionRow, 'scopes'>,
  linked: LinkedAccount,
): readonly Permission[] {
  return describeScopes(connector, requestedScopes(knownScopes(connector, connection), linked));
}

// Scopes of OpenID Connect, which token responses often omit although the user granted them.
const OMITTED = [OPENID, 'profile', 'email', 'offline_access'];

// Some token responses spell a scope as a URL, or in other letters, than the request did.
const plainScope = (scope: string): string => lastSegmentOf(scope).toLowerCase();

/**
 * Lists the permissions that the user left out at the consent: the requested scopes that the account does not have.
 * Returns none for a connector whose scopes the catalogue does not list.
 */
export function deniedPermissionsOf(
  connector: Connector,
  connection: Pick<ConnectionRow, 'scopes'>,
  { link, account }: LinkedAccount & { readonly account: Pick<StoredAccount, 'scopes'> },
): readonly Permission[] {
  if (listedScopesOf(connector).length === 0) return [];
  const granted = new Set([...OMITTED, ...readScopes(account.scopes)].map(plainScope));
  const requested = requestedScopes(knownScopes(connector, connection), { link, account });
  const denied = requested.filter((scope) => !granted.has(plainScope(scope)));
  return denied.length === 0 ? [] : describeScopes(connector, denied);
}

function describeScopes(
  { auth, consent }: Pick<Connector, 'auth' | 'consent'>,
  scopes: readonly string[],
): readonly Permission[] {
  const listed = 'scopes' in auth ? auth.scopes : [];
  const known = new Map(listed.map((scope) => [scope.name, scope.consent ?? consent]));
  const general = listed.length === 0 ? consent : undefined;
  const permissions = scopes.map((scope) => known.get(scope) ?? general ?? { scope });
  const whole = permissions.length === 0 && consent ? [consent] : permissions;
  return [...new Map(whole.map((each) => [JSON.stringify(each), each])).values()];
}
