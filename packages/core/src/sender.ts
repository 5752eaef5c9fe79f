import { loadKy } from '#load-ky';
import { type AttemptSettings, type Attempts, attempts } from './attempts.js';
import type { Answer, Call, SendOptions } from './call.js';
import { AccountNotAuthorizedError, ServiceError } from './errors.js';
import { checkPath } from './path.js';
import { readAnswer } from './read-answer.js';
import type { AuthorizationLink } from './resources.js';

/** What all calls have in common. */
export interface SenderSettings extends AttemptSettings {
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Sends one call. */
export type Send = (call: Call, options?: SendOptions) => Promise<Answer>;

/** Sends calls to the service, and turns every failure into an error of ours. */
export function sender(prefix: string, settings: SenderSettings): Send {
  const exchange = async (call: Call, options: SendOptions, sent: Attempts): Promise<Answer> => {
    const { isProxied } = call;
    const { idempotencyKey } = options;
    const ky = (await loadKy()).extend({ headers: new Headers(settings.headers) });
    const reply = ky(call.path, {
      prefix,
      method: call.method,
      headers: {
        ...call.headers,
        ...options.headers,
        ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
      },
      searchParams: call.queryParams,
      json: call.body,
      body: call.form_data ?? null,
      signal: options.signal ?? null,
      redirect: 'manual',
      throwHttpErrors: (status) => status >= (isProxied ? 400 : 300),
      parseJson: (text) => (text ? JSON.parse(text) : undefined),
      ...sent.options,
    });
    return options.stream ? { response: await reply } : readAnswer(reply, isProxied);
  };
  const send: Send = async (call, options = {}) => {
    checkPath(call.path);
    const sent = attempts(call, options, settings);
    try {
      return await exchange(call, options, sent);
    } catch (thrown) {
      options.signal?.throwIfAborted();
      const error = sent.explain(thrown);
      if (options.idempotencyKey && error instanceof ServiceError)
        Object.assign(error, { idempotencyKey: options.idempotencyKey });
      if (error instanceof AccountNotAuthorizedError) {
        const toLink = { method: 'POST', path: error.authorizationLinkPath };
        error.getLink = async (linkOptions) => (await send(toLink, linkOptions)).data as AuthorizationLink;
      }
      throw error;
    }
  };
  return send;
}
