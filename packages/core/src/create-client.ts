import type { Client } from './client.js';
import { type ClientOptions, type GivenToken, type SharedOptions, setting } from './config.js';
import { OWN } from './describe-failure.js';
import { ServiceError } from './errors.js';
import { given } from './given.js';
import { accountPath, path } from './path.js';
import { proxy } from './proxy.js';
import { type SenderSettings, sender } from './sender.js';
import { sharedToken, type TokenAnswer, type TokenSource } from './token.js';
import type { Ran } from './tool.js';

/** Makes the client of an application; throws `not_configured` at once when a setting is missing. */
export function createClient(options: ClientOptions = {}): Client {
  const environmentUrl = setting(options.environmentUrl, 'SVC_ENVIRONMENT_URL');
  // A page may leave out its own origin.
  if (!/^(https?:\/)?\//.test(environmentUrl))
    throw new ServiceError({
      code: 'not_configured',
      message: `No http(s) URL: ${environmentUrl}`,
    });
  return clientOf(environmentUrl, { ...options, tokens: tokenSource(environmentUrl, options) });
}

function clientOf(environmentUrl: string, settings: SenderSettings): Client {
  const send = sender(environmentUrl, settings);
  const call: Client['call'] = async <Data>(...args: Parameters<Client['call']>) =>
    // Answers are typed as the service documents them, and not checked at run time.
    (await send(...args)).data as Data;
  const tokenMaker =
    (name: string): Client['accountToken'] =>
    (body, callOptions) =>
      call({ method: 'POST', path: path(name), body }, callOptions);
  return {
    call,
    request: proxy(send),
    getAuthorizationLink: async ({ connectionName, identifier, ...body }, callOptions) =>
      call(
        {
          method: 'POST',
          path: `${accountPath({ connectionName, identifier })}/authorization-link`,
          body,
        },
        callOptions,
      ),
    getOrCreateConnectedAccount: async ({ apiKey, bearerToken, credentials, ...account }, callOptions) =>
      call(
        { method: 'PUT', path: accountPath(account), body: { apiKey, bearerToken, credentials } },
        callOptions,
      ),
    executeTool: async ({ toolName, ...body }, { dryRun, ...callOptions } = {}) => {
      const { data, requestId } = await send(
        { method: 'POST', path: path('tools', toolName, 'execute'), body: { ...body, dryRun } },
        callOptions,
      );
      return { ...(data as Omit<Ran<never, never>, 'requestId'>), requestId } as Ran<never, never>;
    },
    accountToken: tokenMaker('account-tokens'),
    agentToken: tokenMaker('agent-tokens'),
    withOptions: ({ headers, ...more }: SharedOptions) =>
      clientOf(environmentUrl, {
        ...settings,
        ...given(more),
        headers: { ...settings.headers, ...headers },
      }),
  };
}

function tokenSource(environmentUrl: string, options: ClientOptions): TokenSource {
  const { accessToken } = options;
  if (accessToken)
    return sharedToken(async () => {
      const token = await asked(accessToken);
      // How long a text is good it does not say.
      if (typeof token === 'string') return { access_token: token, expires_in: -1 };
      return { access_token: token.token, expires_in: (Date.parse(token.expiresAt) - Date.now()) / 1000 };
    });
  const form_data = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: setting(options.clientId, 'SVC_CLIENT_ID'),
    client_secret: setting(options.clientSecret, 'SVC_CLIENT_SECRET'),
  });
  const send = sender(environmentUrl, options);
  return sharedToken(async () => {
    const { data } = await send({ method: 'POST', path: '/oauth/token', form_data });
    return data as TokenAnswer;
  });
}

async function asked(given: NonNullable<ClientOptions['accessToken']>): Promise<GivenToken> {
  try {
    return typeof given === 'string' ? given : await given();
  } catch (error) {
    throw new ServiceError({ code: OWN, message: OWN, cause: error });
  }
}
