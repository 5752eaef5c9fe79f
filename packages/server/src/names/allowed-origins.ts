import { ServiceError } from '../errors.js';

/** An origin beside public https ones that the requests of a connector may go to, because an operator listed it. */
export interface AllowedOrigin {
  readonly connector: string;
  readonly origin: string;
}

/** Whether the operator listed the origin for the connector. */
export type IsAllowedOrigin = (connector: string, origin: string) => boolean;

/** In the place of a connector: where users of MCP clients sign in, and what those clients publish. */
export const AGENT_ORIGINS = 'agents';

export function createIsAllowedOrigin(listed: readonly AllowedOrigin[]): IsAllowedOrigin {
  // No name and no origin holds a space.
  const keys = new Set(listed.map(({ connector, origin }) => `${connector} ${origin}`));
  return (connector, origin) => keys.has(`${connector} ${origin}`);
}

/** Throws when an origin is listed for a connector that there is not: nobody would get what was meant. */
export function checkAllowedOrigins(listed: readonly AllowedOrigin[], connectors: readonly string[]): void {
  const unknown = listed.find(({ connector }) => !connectors.includes(connector));
  if (unknown === undefined) return;
  throw new ServiceError(
    'invalid_request',
    `SVC_ALLOWED_ORIGINS names the connector "${unknown.connector}", which the catalogue does not have; it has ${connectors.join(', ')}.`,
  );
}
