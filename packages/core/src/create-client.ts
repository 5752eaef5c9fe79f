import type { Client } from './client.js';
import { type ClientOptions, type SharedOptions, setting } from './config.js';
import { given } from './given.js';
import { path } from './path.js';
import { proxy } from './proxy.js';
import type { AccountName, Credentials, LinkRequest } from './resources.js';
import { type SenderSettings, sender } from './sender.js';
import type { ServiceCall } from './service-call.js';
import { signIn } from './sign-in.js';
import { sharedToken } from './token.js';
import type { CallOptions, Ran } from './tool.js';

/** Makes the client of an application; throws `not_configured` at once when a setting is missing. */
export function createClient(options: ClientOptions = {}): Client {
  // A page may leave out its own origin.
  const settings = { ...options, environmentUrl: setting(options, 'environmentUrl', /^(https?:\/)?\//) };
  return clientOf({ ...settings, tokens: sharedToken(options.accessToken || signIn(settings)) });
}

function clientOf(settings: SenderSettings): Client {
  const send = sender(settings);
  const call = async <Data>(request: ServiceCall, options?: CallOptions) =>
    // Answers are typed as the service documents them, and not checked at run time.
    (await send(request, options)).data as Data;
  const post = <Data>(target: string, body: object, options?: CallOptions) =>
    call<Data>({ method: 'POST', path: target, body }, options);
  // Of an account that the service gave, which is a name too, the rest stays here.
  const onAccount =
    <Given extends AccountName>(method: string, action: string, ...fields: (keyof Given)[]) =>
    async <Data>(account: Given, options?: CallOptions) =>
      call<Data>(
        {
          method,
          path: path('connections', account.connectionName, 'accounts', account.identifier) + action,
          body: Object.fromEntries(fields.map((field) => [field, account[field]])),
        },
        options,
      );
  return {
    call,
    request: proxy(send),
    getAuthorizationLink: onAccount<LinkRequest>(
      'POST',
      '/authorization-link',
      'replace',
      'successUrl',
      'failureUrl',
    ),
    getOrCreateConnectedAccount: onAccount<AccountName & Credentials>(
      'PUT',
      '',
      'apiKey',
      'bearerToken',
      'credentials',
    ),
    executeTool: async ({ toolName, ...body }, { dryRun, ...options } = {}) => {
      const { data, requestId } = await send(
        { method: 'POST', path: path('tools', toolName, 'execute'), body: { ...body, dryRun } },
        options,
      );
      return { ...(data as Omit<Ran<never, never>, 'requestId'>), requestId } as Ran<never, never>;
    },
    accountToken: (body, options) => post('/v1/account-tokens', body, options),
    agentToken: (body, options) => post('/v1/agent-tokens', body, options),
    withOptions: ({ headers, ...more }: SharedOptions) =>
      clientOf({ ...settings, ...given(more), headers: { ...settings.headers, ...headers } }),
  };
}
