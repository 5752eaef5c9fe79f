import type { AllowedOrigin } from '../names/allowed-origins.js';

/** Owner and connector of the requests that the command `listen` sends. */
export const RELAY = { owner: 'listen', connector: 'listen' } as const;

/** Allows the origins that the person who started the command has named, such as a port of this machine. */
export const relayOrigins = (urls: readonly string[]): readonly AllowedOrigin[] =>
  urls.map((url) => ({ connector: RELAY.connector, origin: new URL(url).origin }));
