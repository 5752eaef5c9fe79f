import type { AllowedOrigin } from '../names/allowed-origins.js';

/**
 * Values that the HTTP client requires with each request. Requests of the command `listen` belong to no application and
 * no connector, so they use the name of the command.
 */
export const RELAY = { owner: 'listen', connector: 'listen' } as const;

/**
 * Returns the URL origins to which the command `listen` may send requests: those that its user has named, such as a
 * local port.
 */
export const relayOrigins = (urls: readonly string[]): readonly AllowedOrigin[] =>
  urls.map((url) => ({ connector: RELAY.connector, origin: new URL(url).origin }));
