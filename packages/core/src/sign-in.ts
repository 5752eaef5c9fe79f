import { type ClientOptions, setting } from './config.js';
import { sender } from './sender.js';
import { sharedToken, type TokenAnswer, type TokenSource } from './token.js';

/** Chooses how calls are authorized: with the given token, or with one fetched for the client's credentials. */
export function signIn(origin: string, options: ClientOptions): TokenSource {
  const { accessToken } = options;
  if (typeof accessToken === 'string') return { get: async () => `Bearer ${accessToken}` };
  if (accessToken) return { get: async () => `Bearer ${await accessToken()}`, drop() {} };
  const pair = [setting(options, 'clientId'), setting(options, 'clientSecret')]
    .map(encodeURIComponent)
    .join(':');
  const send = sender({ get: async () => `Basic ${btoa(pair)}` }, options);
  const call = {
    method: 'POST',
    url: `${origin}/oauth/token`,
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
    isSafe: true,
  };
  return sharedToken(async () => (await send(call)).data as TokenAnswer);
}
