import { withDeadline } from './deadline.js';
import { withRetries } from './retry.js';
import type { TokenSource } from './token.js';
import type { CallOptions } from './tool.js';
import type { Answer, Attempt, Call } from './transport.js';

/** What all calls of a client have in common. */
export interface SenderSettings {
  timeout?: number | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  fetch?: Attempt['fetch'];
}

export type Send = (call: Call, options?: CallOptions) => Promise<Answer>;

/** Sends calls with a token and within a time, and repeats them where that is right. */
export function sender(tokens: TokenSource, { fetch, ...settings }: SenderSettings): Send {
  const authorized = async (call: Call, headers: Headers, signal: AbortSignal) => {
    // ky probes the platform while it loads, at a cost that only a process that makes a call should pay.
    const { exchange } = await import('./transport.js');
    const run = (authorization: string) => {
      headers.set('authorization', authorization);
      return exchange(call, { headers, signal, fetch });
    };
    const token = await tokens.get();
    return run(token).catch(async (error) => {
      if (error.code !== 'unauthorized' || !tokens.drop || isReadOnce(call)) throw error;
      tokens.drop(token);
      return run(await tokens.get());
    });
  };
  return (call, { signal, timeout, idempotencyKey, headers: own } = {}) => {
    const headers = merge(
      settings.headers,
      call.headers,
      own,
      idempotencyKey && { 'idempotency-key': idempotencyKey },
    );
    return withDeadline({ signal, timeout: timeout ?? settings.timeout ?? 120_000 }, (signal, deadline) =>
      withRetries(() => authorized(call, headers, signal), {
        most: isReadOnce(call) ? 0 : 2,
        isSafe: call.isSafe || call.method === 'GET' || call.method === 'HEAD' || !!idempotencyKey,
        deadline,
        signal,
      }),
    );
  };
}

const isReadOnce = ({ body }: Call) => body instanceof ReadableStream;

function merge(...parts: (Readonly<Record<string, string>> | '' | undefined)[]): Headers {
  const headers = new Headers();
  for (const part of parts) {
    for (const [name, value] of Object.entries(part || {})) headers.set(name, value);
  }
  return headers;
}
