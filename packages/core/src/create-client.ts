import { settingsOf } from '#settings';
import type { SendOptions, ServiceResponse } from './call.js';
import type { Client } from './client.js';
import type { ClientOptions, SharedOptions } from './config.js';
import type { Executed } from './execute-tool.js';
import { accountPath, path, proxyPath } from './path.js';
import type { ProxyRequest, SendRequest } from './proxy-request.js';
import type { SenderSettings } from './send-once.js';
import { sender } from './sender.js';
import type { ServiceCall } from './service-call.js';
import { sharedToken } from './token.js';
import type { CallOptions } from './tool.js';

/** Creates the client of an application. Throws `not_configured` immediately when an option is missing. */
export function createClient(options: ClientOptions = {}): Client {
  const settings = settingsOf(options);
  return clientOf({ ...settings, tokens: sharedToken(settings.accessToken) });
}

function clientOf(settings: SenderSettings): Client {
  const send = sender(settings);

  async function call<Data>(serviceCall: ServiceCall, options?: SendOptions): Promise<Data> {
    const response = await send(serviceCall, options);
    // The type assertion trusts the documented types of the service, because responses are not validated.
    return (options?.stream ? response : response.data) as Data;
  }

  function post<Data>(target: string, body: object, options?: CallOptions): Promise<Data> {
    return call<Data>({ method: 'POST', path: target, body }, options);
  }

  async function request(
    { connectionName, identifier, path: upstreamPath, ...rest }: ProxyRequest,
    options?: SendOptions,
  ): Promise<ServiceResponse> {
    const target = proxyPath({ connectionName, identifier }, upstreamPath);
    return send({ ...rest, path: target, isProxied: true }, options);
  }

  return {
    call,
    // The type assertion is needed, because the option `stream` decides which type the function returns.
    request: request as SendRequest,
    // A connected account is accepted as an account name. The rest pattern and the path leave out its other fields.
    getAuthorizationLink: ({ replace, successUrl, failureUrl, ...account }, options) =>
      post(`${accountPath(account)}/authorization-link`, { replace, successUrl, failureUrl }, options),
    getOrCreateConnectedAccount: ({ apiKey, bearerToken, credentials, verify, ...account }, options) =>
      call(
        { method: 'PUT', path: accountPath(account), body: { apiKey, bearerToken, credentials, verify } },
        options,
      ),
    executeTool: async ({ toolName, ...tool }, options) => {
      const body = { ...tool, dryRun: options?.dryRun };
      const target = path('tools', toolName, 'execute');
      const { data, requestId } = await send({ method: 'POST', path: target, body }, options);
      return { ...(data as Omit<Executed<never, never>, 'requestId'>), requestId } as Executed<never, never>;
    },
    accountToken: (body, options) => post('/v1/account-tokens', body, options),
    agentToken: (body, options) => post('/v1/agent-tokens', body, options),
    withOptions: ({ headers, ...options }: SharedOptions) =>
      clientOf({ ...settings, ...options, headers: { ...settings.headers, ...headers } }),
  };
}
