import type { ClientOptions } from './config.js';
import { assert } from './errors.js';
import { signIn } from './sign-in.js';

const VARIABLES = {
  environmentUrl: 'SVC_ENVIRONMENT_URL',
  clientId: 'SVC_CLIENT_ID',
  clientSecret: 'SVC_CLIENT_SECRET',
} as const;

/** Options with an address, and with a way to a token. */
export interface Settings extends ClientOptions {
  environmentUrl: string;
  accessToken: NonNullable<ClientOptions['accessToken']>;
}

/** Reads missing options from the environment. Throws `not_configured` when one is missing there too, or is wrong. */
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
  // Not every runtime has a `process`.
  const value = options[name] || globalThis.process?.env?.[variable] || '';
  assert(pattern.test(value), 'not_configured', `Set ${variable} or ${name}, not "${value}"`);
  return value;
}
