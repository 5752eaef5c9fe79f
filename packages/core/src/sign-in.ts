import { setting } from './config.js';
import { type SenderSettings, sender } from './sender.js';
import type { TokenAnswer } from './token.js';

/** Makes the function that fetches the application's token; throws `not_configured` at once when a setting is missing. */
export function signIn(settings: SenderSettings): () => Promise<TokenAnswer> {
  const form_data = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: setting(settings, 'clientId'),
    client_secret: setting(settings, 'clientSecret'),
  });
  const send = sender(settings);
  // It changes nothing that counts, and so is repeated.
  return async () =>
    (await send({ method: 'POST', path: '/oauth/token', form_data }, { readOnly: true })).data as TokenAnswer;
}
