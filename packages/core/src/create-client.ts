import type { Client } from './client.js';
import { type ClientOptions, setting } from './config.js';
import { AccountNotAuthorizedError } from './errors.js';
import { operations } from './operations.js';
import { sender } from './sender.js';
import { signIn } from './sign-in.js';

/** Makes the client of an application; throws `not_configured` when a setting is missing. */
export function createClient(options: ClientOptions = {}): Client {
  const origin = new URL(setting(options, 'environmentUrl')).href.replace(/\/$/, '');
  const send = sender(signIn(origin, options), options);
  const client = operations((call, callOptions) =>
    send({ ...call, url: origin + call.url }, callOptions).catch((error) => {
      if (error instanceof AccountNotAuthorizedError) {
        error.getLink = (linkOptions) => client.getAuthorizationLink(error, linkOptions);
      }
      throw error;
    }),
  );
  return client;
}
