import { createApp as createWholeApp } from './assembly/app.js';
import type { EmbeddedApp, EmbeddedAppOptions } from './start/embedded-app.js';

export { type Config, readConfig } from './config/config.js';
export { ERROR_STATUS, type ErrorCode, ServiceError } from './errors.js';
export { createLog, type Log } from './log/log.js';
export type {
  EmbeddedApp as App,
  EmbeddedAppOptions as AppOptions,
  EmbeddedConnection,
  EmbeddedConnectionSettings,
} from './start/embedded-app.js';

/**
 * Creates the service in this process, before it listens. Rejects with an error whose message says why the service cannot
 * start.
 */
export const createApp: (options: EmbeddedAppOptions) => Promise<EmbeddedApp> = createWholeApp;
