import type { ClientOptions } from './config.js';
import { assert } from './errors.js';
import { signIn } from './sign-in.js';

const VARIABLES = {
  environmentUrl: 'SVC_ENVIRONMENT_URL',
  clientId: 'SVC_CLIENT_ID',
  clientSecret: 'SVC_CLIENT_SECRET',
} as const;

/** Client options with the service's address and the access token filled in. */
export interface Settings extends ClientOptions {
  environmentUrl: string;
  accessToken: NonNullable<ClientOptions['accessToken']>;
}

/**
 * Reads missing options of a client from environment variables. Throws `not_configured` when an option is also missing
 * from the environment, or is invalid.
 */
export function settingsOf(options: ClientOptions): Settings {
  const environmentUrl = setting(options, 'environmentUrl', /^(https?:\/)?\//);
  const settings = { ...options, environmentUrl };
  if (options.accessToken) return { ...settings, accessToken: options.accessToken };
  const clientId = setting(options, 'clientId');
  const clientSecret = setting(options, 'clientSecret');
  return { ...settings, accessToken: signIn(settings, { clientId, clientSecret }) };
}

function setting(options: ClientOptions, name: keyof typeof VARIABLES, pattern = /./): string {
  const variable = VARIABLES[name];
  // Uses optional chaining, because some runtimes have no `process`.
  const value = options[name] || globalThis.process?.env?.[variable] || '';
  assert(value, 'not_configured', `${name} is missing. Set ${variable}, or pass ${name} to createClient().`);
  assert(pattern.test(value), 'not_configured', `${name} is "${value}". Begin it with https:// or http://.`);
  return value;
}
