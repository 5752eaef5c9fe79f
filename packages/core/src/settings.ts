import type { ClientOptions, GivenToken } from './config.js';
import { demand, type ServiceError } from './errors.js';
import type { Send, SenderSettings } from './sender.js';

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

type Sender = (settings: SenderSettings) => Send;

/** Takes from the environment what the options leave out; throws `not_configured` when something is missing there, too, or wrong. */
export function settingsOf(options: ClientOptions, sender: Sender): Settings {
  const environmentUrl = setting(options, 'environmentUrl', /^(https?:\/)?\//);
  const settings = { ...options, environmentUrl };
  return { ...settings, accessToken: options.accessToken || signIn(settings, sender) };
}

const VARIABLES = {
  environmentUrl: 'SVC_ENVIRONMENT_URL',
  clientId: 'SVC_CLIENT_ID',
  clientSecret: 'SVC_CLIENT_SECRET',
} as const;

function setting(options: ClientOptions, name: keyof typeof VARIABLES, pattern = /./): string {
  const variable = VARIABLES[name];
  const value = options[name] || globalThis.process?.env?.[variable] || '';
  demand(pattern.test(value), 'not_configured', `Set ${variable} or ${name}, not "${value}"`);
  return value;
}

/** Makes the function that fetches the application's token. */
function signIn(settings: SenderSettings, sender: Sender): () => Promise<GivenToken> {
  const form_data = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: setting(settings, 'clientId'),
    client_secret: setting(settings, 'clientSecret'),
  });
  const send = sender(settings);
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
