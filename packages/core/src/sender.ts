import { loadKy } from '#load-ky';
import { attempts } from './attempts.js';
import type { Answer, Call, Sending, SendOptions } from './call.js';
import type { ClientOptions } from './config.js';
import { describeFailure, type Thrown } from './describe-failure.js';
import { AccountNotAuthorizedError } from './errors.js';
import { given } from './given.js';
import { headersOf } from './headers-of.js';
import { checkPath } from './path.js';
import type { AuthorizationLink } from './resources.js';
import type { TokenSource } from './token.js';

/** What all calls have in common. */
export interface SenderSettings extends ClientOptions {
  environmentUrl: string;
  /** Gives the token; calls go out without one when this is absent. */
  tokens?: TokenSource;
}

/** Sends one call. */
export type Send = (call: Call, options?: SendOptions) => Promise<Answer>;

/** Sends calls to the service, and turns every failure into an error of ours. */
export function sender(settings: SenderSettings): Send {
  const send: Send = async (call, options = {}) => {
    const { signal, timeout, leastTimeout = 0 } = options;
    const totalTimeout = timeout ?? Math.max(settings.timeout ?? 120_000, leastTimeout);
    const idempotencyKey = options.idempotencyKey || undefined;
    const key = { 'idempotency-key': idempotencyKey };
    checkPath(call.path);
    const sent: Sending = {
      ...call,
      ...settings,
      ...given(options),
      idempotencyKey,
      code: 'invalid_request',
    };
    try {
      const ky = await loadKy();
      await ky(call.path, {
        prefix: settings.environmentUrl,
        method: call.method,
        headers: headersOf(key, settings.headers, call.headers, options.headers),
        searchParams: call.queryParams,
        json: call.body,
        body: call.form_data ?? null,
        signal: signal ?? null,
        redirect: 'manual',
        throwHttpErrors: false,
        timeout: false,
        totalTimeout,
        ...attempts(sent, Date.now() + totalTimeout),
      });
      return sent.answer as Answer;
    } catch (thrown) {
      signal?.throwIfAborted();
      const error = describeFailure(thrown as Thrown, sent);
      if (error instanceof AccountNotAuthorizedError) {
        const toLink = { method: 'POST', path: error.authorizationLinkPath };
        error.getLink = async (linkOptions) => (await send(toLink, linkOptions)).data as AuthorizationLink;
      }
      throw error;
    }
  };
  return send;
}
