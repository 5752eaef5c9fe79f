import { ServiceError } from '../errors.js';

/**
 * Origin that an operator allowed for a connector in SVC_ALLOWED_ORIGINS. Without an entry, the connector may only call
 * public https origins.
 */
export interface AllowedOrigin {
  readonly connector: string;
  readonly origin: string;
}

/** Returns true if SVC_ALLOWED_ORIGINS allows the origin for the connector. */
export type IsAllowedOrigin = (connector: string, origin: string) => boolean;

/**
 * Name that replaces the connector in entries of SVC_ALLOWED_ORIGINS for OpenID providers and for metadata documents of
 * MCP clients.
 */
export const AGENT_ORIGINS = 'agents';

/** Name that replaces the connector in entries of SVC_ALLOWED_ORIGINS for webhook endpoints. */
export const WEBHOOK_ORIGINS = 'webhooks';

/** Name that replaces the connector in entries of SVC_ALLOWED_ORIGINS for links that callers pass to tools. */
export const LINK_ORIGINS = 'links';

export function createIsAllowedOrigin(listed: readonly AllowedOrigin[]): IsAllowedOrigin {
  // A space separates both parts of the key, because neither a connector name nor an origin can contain a space.
  const keys = new Set(listed.map(({ connector, origin }) => `${connector} ${origin}`));
  return (connector, origin) => keys.has(`${connector} ${origin}`);
}

/** Throws if SVC_ALLOWED_ORIGINS names an unknown connector, because the entry would have no effect. */
export function checkAllowedOrigins(listed: readonly AllowedOrigin[], connectors: readonly string[]): void {
  const unknown = listed.find(({ connector }) => !connectors.includes(connector));
  if (unknown === undefined) return;
  throw new ServiceError(
    'invalid_request',
    `SVC_ALLOWED_ORIGINS lists the unknown connector "${unknown.connector}". Use one of ${connectors.join(', ')}.`,
  );
}
