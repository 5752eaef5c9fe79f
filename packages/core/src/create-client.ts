import { settingsOf } from '#settings';
import type { SendOptions } from './call.js';
import type { Client } from './client.js';
import type { ClientOptions, SharedOptions } from './config.js';
import { accountPath, path } from './path.js';
import type { ProxyRequest, SendRequest } from './proxy-request.js';
import { type SenderSettings, sender } from './sender.js';
import type { ServiceCall } from './service-call.js';
import { sharedToken } from './token.js';
import type { CallOptions, Ran } from './tool.js';

/** Makes the client of an application; throws `not_configured` at once when a setting is missing. */
export function createClient(options: ClientOptions = {}): Client {
  const settings = settingsOf(options, sender);
  return clientOf({ ...settings, tokens: sharedToken(settings.accessToken) });
}

function clientOf(settings: SenderSettings): Client {
  const send = sender(settings);
  const call = async <Data>(request: ServiceCall, options?: SendOptions) => {
    const answer = await send(request, options);
    // Answers are typed as the service documents them, and not checked at run time.
    return (options?.stream ? answer : answer.data) as Data;
  };
  const post = <Data>(target: string, body: object, options?: CallOptions) =>
    call<Data>({ method: 'POST', path: target, body }, options);
  // Which of its two answers this has `stream` says, by which `send` goes.
  const request = (async (
    { connectionName, identifier, path: upstreamPath, ...rest }: ProxyRequest,
    options?: SendOptions,
  ) => {
    // One slash between: without it the path would go on with the identifier, and name another account.
    const target = upstreamPath?.replace?.(/^(?=[^/])/, '/') || '#';
    return send(
      { ...rest, path: path('proxy', connectionName, identifier) + target, isProxied: true },
      options,
    );
  }) as SendRequest;
  return {
    call,
    request,
    // Of an account that the service gave, which is a name too, the rest stays here.
    getAuthorizationLink: ({ replace, successUrl, failureUrl, ...account }, options) =>
      post(`${accountPath(account)}/authorization-link`, { replace, successUrl, failureUrl }, options),
    getOrCreateConnectedAccount: ({ apiKey, bearerToken, credentials, ...account }, options) =>
      call(
        { method: 'PUT', path: accountPath(account), body: { apiKey, bearerToken, credentials } },
        options,
      ),
    executeTool: async ({ toolName, ...body }, options) => {
      const { data, requestId } = await send(
        {
          method: 'POST',
          path: path('tools', toolName, 'execute'),
          body: { ...body, dryRun: options?.dryRun },
        },
        options,
      );
      return { ...(data as Omit<Ran<never, never>, 'requestId'>), requestId } as Ran<never, never>;
    },
    accountToken: (body, options) => post('/v1/account-tokens', body, options),
    agentToken: (body, options) => post('/v1/agent-tokens', body, options),
    withOptions: ({ headers, ...more }: SharedOptions) =>
      clientOf({ ...settings, ...more, headers: { ...settings.headers, ...headers } }),
  };
}
