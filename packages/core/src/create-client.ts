import type { Client } from './client.js';
import { type ClientOptions, setting } from './config.js';
import { accountPath, path } from './path.js';
import { proxy } from './proxy.js';
import { sender } from './sender.js';
import { sharedToken, type TokenAnswer, type TokenSource } from './token.js';

/** Makes the client of an application; throws `not_configured` at once when a setting is missing. */
export function createClient(options: ClientOptions = {}): Client {
  const environmentUrl = setting(options.environmentUrl, 'SVC_ENVIRONMENT_URL');
  const send = sender(environmentUrl, { ...options, tokens: tokenSource(environmentUrl, options) });
  const call: Client['call'] = async <Data>(...args: Parameters<Client['call']>) =>
    // Answers are typed as the service documents them, and not checked at run time.
    (await send(...args)).data as Data;
  return {
    call,
    request: proxy(send),
    getAuthorizationLink: ({ connectionName, identifier, ...body }, callOptions) =>
      call(
        {
          method: 'POST',
          path: `${accountPath({ connectionName, identifier })}/authorization-link`,
          body,
        },
        callOptions,
      ),
    getOrCreateConnectedAccount: ({ apiKey, bearerToken, credentials, ...account }, callOptions) =>
      call(
        { method: 'PUT', path: accountPath(account), body: { apiKey, bearerToken, credentials } },
        callOptions,
      ),
    executeTool: ({ toolName, ...body }, callOptions) =>
      call({ method: 'POST', path: path('tools', toolName, 'execute'), body }, callOptions),
  };
}

function tokenSource(environmentUrl: string, options: ClientOptions): TokenSource {
  const { accessToken } = options;
  if (accessToken) return async () => (typeof accessToken === 'string' ? accessToken : accessToken());
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
