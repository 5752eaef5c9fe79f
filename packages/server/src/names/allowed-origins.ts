import { ServiceError } from '../errors.js';

/** An origin that an operator listed for a connector. Without an entry, only public https origins are allowed. */
export interface AllowedOrigin {
  readonly connector: string;
  readonly origin: string;
}

/** True if an operator listed the origin for the connector. */
export type IsAllowedOrigin = (connector: string, origin: string) => boolean;

/** Used instead of a connector: origins of OpenID providers and of metadata documents of MCP clients. */
export const AGENT_ORIGINS = 'agents';

export function createIsAllowedOrigin(listed: readonly AllowedOrigin[]): IsAllowedOrigin {
  // A space cannot occur in a name or an origin.
  const keys = new Set(listed.map(({ connector, origin }) => `${connector} ${origin}`));
  return (connector, origin) => keys.has(`${connector} ${origin}`);
}

/** Throws if an origin is listed for an unknown connector, because the entry would have no effect. */
export function checkAllowedOrigins(listed: readonly AllowedOrigin[], connectors: readonly string[]): void {
  const unknown = listed.find(({ connector }) => !connectors.includes(connector));
  if (unknown === undefined) return;
  throw new ServiceError(
    'invalid_request',
    `SVC_ALLOWED_ORIGINS names the connector "${unknown.connector}", which the catalogue does not have; it has ${connectors.join(', ')}.`,
  );
}
