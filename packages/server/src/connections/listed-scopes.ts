import { wrongField } from '../errors.js';
import type { Connector } from './connector.js';

/** Returns the names of the OAuth scopes that the catalogue lists for the connector. */
export const listedScopesOf = ({ auth }: Pick<Connector, 'auth'>): readonly string[] =>
  'scopes' in auth ? auth.scopes.map(({ name }) => name) : [];

/** Returns the part of a scope after its last slash, such as `calendar.readonly`. */
export const lastSegmentOf = (scope: string): string => scope.slice(scope.lastIndexOf('/') + 1);

/**
 * Throws invalid_request for a scope that is only the end of a scope in the catalogue. Other scopes outside the
 * catalogue are allowed, because an upstream may have more scopes than the catalogue lists.
 */
export function checkScopeNames(scopes: readonly string[], connector: Pick<Connector, 'auth'>): void {
  const listed = listedScopesOf(connector);
  for (const scope of scopes) {
    if (listed.includes(scope)) continue;
    const meant = listed.find((name) => lastSegmentOf(name) === scope);
    if (meant === undefined) continue;
    throw wrongField('scopes', `"${scope}" is not the whole name of a scope. Did you mean "${meant}"?`);
  }
}
