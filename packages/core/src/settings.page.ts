import type { ClientOptions } from './config.js';
import { assert } from './errors.js';
import type { Settings } from './settings.js';

/**
 * Checks the options of a client in a page, which has no environment variables and no client secret. The service's
 * address may be a path on the page's own origin.
 */
export function settingsOf(options: ClientOptions): Settings {
  const isComplete = options.environmentUrl && options.accessToken;
  assert(
    isComplete,
    'not_configured',
    'environmentUrl or accessToken is missing. Pass both to createClient().',
  );
  return options as Settings;
}
