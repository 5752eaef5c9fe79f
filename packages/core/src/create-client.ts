import { settingsOf } from '#settings';
import type { SendOptions, ServiceResponse } from './call.js';
import type { Client } from './client.js';
import type { ClientOptions, SharedOptions } from './config.js';
import type { Executed } from './execute-tool.js';
import { accountPath, path, proxyPath } from './path.js';
import type { ProxyRequest, SendRequest } from './proxy-request.js';
import { ACCOUNT, checkAccount, refuseUnknownNames, SHARED_OPTIONS } from './refuse-unknown-names.js';
import type { SenderSettings } from './send-once.js';
import { sender } from './sender.js';
import type { ServiceCall } from './service-call.js';
import { sharedToken } from './token.js';
import type { CallOptions } from './tool.js';

const CLIENT_OPTIONS = ['environmentUrl', 'clientId', 'clientSecret', 'accessToken', ...SHARED_OPTIONS];
const CALL_FIELDS = ['method', 'path', 'queryParams', 'body'];
const TOKENS = ['accessToken', 'refreshToken', 'expiresAt', 'scopes'];
const VERSIONS = ['schemaVersion', 'toolVersion'];
const ACCOUNT_SETTINGS = ['apiKey', 'bearerToken', 'credentials', 'verify', 'metadata', 'tags'];
const LINK_OPTIONS = [
  'replace',
  'successUrl',
  'failureUrl',
  'state',
  'requestedScopes',
  'uiLocales',
  'openerOrigin',
];

const pick = (given: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));

/**
 * Creates the client of an application. Throws `invalid_request` for an option that does not exist. The first call, not
 * this function, throws `not_configured` for a missing setting, because builds import programs without their
 * environment.
 */
export function createClient(options: ClientOptions = {}): Client {
  refuseUnknownNames('createClient()', options, CLIENT_OPTIONS);
  let settings: SenderSettings | undefined;
  return clientOf(() => {
    if (settings) return settings;
    const read = settingsOf(options);
    settings = { ...read, tokens: sharedToken(read.accessToken) };
    return settings;
  });
}

function clientOf(settings: () => SenderSettings): Client {
  const send = sender(settings);

  async function call<Data>(serviceCall: ServiceCall, options?: SendOptions): Promise<Data> {
    refuseUnknownNames('call()', serviceCall, CALL_FIELDS);
    const response = await send(serviceCall, options);
    // The type assertion trusts the documented response types of the service, because the client does not validate
    // responses.
    return (options?.stream ? response : response.data) as Data;
  }

  function post<Data>(target: string, body: object, options?: CallOptions): Promise<Data> {
    return call<Data>({ method: 'POST', path: target, body }, options);
  }

  async function request(proxied: ProxyRequest, options?: SendOptions): Promise<ServiceResponse> {
    checkAccount('request()', proxied, [...CALL_FIELDS, 'form_data', 'headers']);
    const { account = '', headers } = proxied;
    // The header, even an empty one, tells the service that the whole query belongs to the upstream.
    const labelled = { ...headers, 'svc-account': encodeURIComponent(account) };
    return send({ ...proxied, headers: labelled, path: proxyPath(proxied), isProxied: true }, options);
  }

  return {
    call,
    // The type assertion is needed, because the option `stream` decides which type `request` returns.
    request: request as SendRequest,
    // Accepts a whole connected account as its name, and sends none of its other fields.
    getAuthorizationLink: async (account, options) => {
      checkAccount('getAuthorizationLink()', account, LINK_OPTIONS);
      return post(accountPath(account, '/authorization-link'), pick(account, LINK_OPTIONS), options);
    },
    getOrCreateConnectedAccount: async (account, options) => {
      checkAccount('getOrCreateConnectedAccount()', account, [...ACCOUNT_SETTINGS, ...TOKENS]);
      // An account from the service has `expiresAt` and `scopes` too. Without a token they are not sent.
      const hasToken = account.accessToken ?? account.refreshToken;
      const body = pick(account, hasToken ? [...ACCOUNT_SETTINGS, ...TOKENS] : ACCOUNT_SETTINGS);
      return call({ method: 'PUT', path: accountPath(account), body }, options);
    },
    executeTool: async (toolCall, options) => {
      const names = ['toolName', 'toolInput', 'connectedAccountId', ...ACCOUNT, ...VERSIONS];
      refuseUnknownNames('executeTool()', toolCall, names);
      const { toolName, ...tool } = toolCall;
      const body = { ...tool, dryRun: options?.dryRun };
      const target = path('tools', toolName, 'execute');
      const { data, requestId } = await send({ method: 'POST', path: target, body }, options);
      return { ...(data as Omit<Executed<never, never>, 'requestId'>), requestId } as Executed<never, never>;
    },
    accountToken: (body, options) => post('/v1/account-tokens', body, options),
    agentToken: (body, options) => post('/v1/agent-tokens', body, options),
    watch: async ({ tool: toolName, input: toolInput, ...rest }, options) =>
      post('/v1/watches', { toolName, toolInput, ...rest }, options),
    withOptions: (options: SharedOptions) => {
      refuseUnknownNames('withOptions()', options, SHARED_OPTIONS);
      return clientOf(() => {
        const given = settings();
        return { ...given, ...options, headers: { ...given.headers, ...options.headers } };
      });
    },
  };
}
