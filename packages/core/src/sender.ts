import { loadKy } from '#load-ky';
import { type AttemptSettings, type Attempts, attempts } from './attempts.js';
import type { Answer, Call, SendOptions } from './call.js';
import { AccountNotAuthorizedError } from './errors.js';
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
    const { idempotencyKey } = options;
    const key = idempotencyKey ? { 'idempotency-key': idempotencyKey } : {};
    // One after the other: of a name that is spelled in two ways the last value counts, and not both.
    const ky = [key, settings.headers, call.headers, options.headers].reduce(
      (before, headers) => before.extend({ headers: new Headers(headers) }),
      await loadKy(),
    );
    const reply = ky(call.path, {
      prefix,
      method: call.method,
      searchParams: call.queryParams,
      json: call.body,
      body: call.form_data ?? null,
      signal: options.signal ?? null,
      redirect: 'manual',
      throwHttpErrors: (status) => status >= (call.isProxied ? 400 : 300),
      parseJson: (text) => (text ? JSON.parse(text) : undefined),
      ...sent.options,
    });
    return options.stream ? { response: await reply } : readAnswer(reply, call, options);
  };
  const send: Send = async (call, options = {}) => {
    checkPath(call.path);
    const sent = attempts(call, options, settings);
    try {
      return await exchange(call, options, sent);
    } catch (thrown) {
      options.signal?.throwIfAborted();
      const error = sent.explain(thrown);
      if (error instanceof AccountNotAuthorizedError) {
        const toLink = { method: 'POST', path: error.authorizationLinkPath };
        error.getLink = async (linkOptions) => (await send(toLink, linkOptions)).data as AuthorizationLink;
      }
      throw error;
    }
  };
  return send;
}
