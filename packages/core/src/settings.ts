import type { ClientOptions, GivenToken } from './config.js';
import { demand, type ServiceError } from './errors.js';
import { sender } from './sender.js';
import { snakeCase } from './snake-case.js';

/** Options with an address, and with a way to a token. */
export interface Settings extends ClientOptions {
  environmentUrl: string;
  accessToken: NonNullable<ClientOptions['accessToken']>;
}

/** The answer of the token endpoint. */
interface TokenAnswer {
  access_token: string;
  expires_in: number;
}

/** Takes from the environment what the options leave out; throws `not_configured` when something is missing there, too, or wrong. */
export function settingsOf(options: ClientOptions): Settings {
  const environmentUrl = setting(options, 'environmentUrl', /^(https?:\/)?\//);
  return { ...options, environmentUrl, accessToken: options.accessToken || signIn(options, environmentUrl) };
}

function setting(
  options: ClientOptions,
  name: 'environmentUrl' | 'clientId' | 'clientSecret',
  pattern = /./,
): string {
  const variable = `SVC_${snakeCase(name).toUpperCase()}`;
  const value = options[name] || globalThis.process?.env?.[variable] || '';
  demand(pattern.test(value), 'not_configured', `Set ${variable} or ${name}, not "${value}"`);
  return value;
}

/** Makes the function that fetches the application's token. */
function signIn(options: ClientOptions, environmentUrl: string): () => Promise<GivenToken> {
  const form_data = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: setting(options, 'clientId'),
    client_secret: setting(options, 'clientSecret'),
  });
  const send = sender({ ...options, environmentUrl });
  return async () => {
    try {
      // It changes nothing that counts, and so is repeated.
      const { data } = await send({ method: 'POST', path: '/oauth/token', form_data }, { readOnly: true });
      const { access_token, expires_in } = data as TokenAnswer;
      return { token: access_token, expiresAt: new Date(Date.now() + expires_in * 1000).toISOString() };
    } catch (error) {
      throw inWords(error as ServiceError);
    }
  };
}

/** An error of the token endpoint has its words where OAuth has them. */
function inWords(error: ServiceError): ServiceError {
  const { body } = (error.details ?? {}) as { body?: { error_description?: string } | null };
  if (body?.error_description) error.message = body.error_description;
  return error;
}
