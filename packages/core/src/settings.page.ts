import type { ClientOptions } from './config.js';
import { demand } from './errors.js';
import type { Settings } from './settings.js';

/** A page has no environment, and no secret of its application: it is given an address, which may leave out its own origin, and a token. */
export function settingsOf(options: ClientOptions): Settings {
  const isSet = options.environmentUrl && options.accessToken;
  demand(isSet, 'not_configured', 'Set environmentUrl and accessToken');
  return options as Settings;
}
