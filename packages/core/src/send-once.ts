import type { Options } from 'ky';
import type { Call, SendOptions, ServiceResponse } from './call.js';
import type { ClientOptions, FetchInit } from './config.js';
import { readResponse } from './read-response.js';
import type { TokenSource } from './token.js';

/** Settings that all calls share. */
export interface SenderSettings extends ClientOptions {
  environmentUrl: string;
  /** Gives the access token. Without it, calls carry none. */
  tokens?: TokenSource;
}

/** Options from which ky builds the `Request` of each attempt. */
export function requestOptions(settings: SenderSettings, call: Call, options: SendOptions): Options {
  const { idempotencyKey } = options;
  return {
    method: call.method,
    prefix: settings.environmentUrl,
    searchParams: call.queryParams,
    json: call.body,
    signal: options.signal ?? null,
    headers: mergeHeaders(
      idempotencyKey ? { 'idempotency-key': idempotencyKey } : {},
      settings.headers,
      call.headers,
      options.headers,
    ),
  };
}

/** Merges headers whatever the case of their names. The last value wins. ky leaves out a header whose value is `undefined`. */
function mergeHeaders(...layers: (Readonly<Record<string, string>> | undefined)[]): Headers {
  const merged = new Headers();
  for (const layer of layers) {
    for (const [name, value] of new Headers(layer)) merged.set(name, value);
  }
  return merged;
}

interface Attempt {
  readonly settings: SenderSettings;
  readonly call: Call;
  readonly options: SendOptions;
}

/** Sends the request of one attempt and reads its response. Throws an error response as a `ServiceError`. */
export async function sendOnce(
  { url, headers, signal }: Request,
  { settings, call, options }: Attempt,
): Promise<ServiceResponse> {
  const send = settings.fetch ?? fetch;
  const response = await send(url, {
    method: call.method,
    headers,
    signal,
    redirect: 'manual',
    duplex: 'half',
    body: payloadOf(call),
  });
  return readResponse(response as Response, call, options);
}

/** The payload as it was given, because a `Request` only has it as a stream, which browsers do not send over HTTP/1.1. */
function payloadOf({ body, form_data = null }: Call): FetchInit['body'] {
  return JSON.stringify(body) ?? (form_data as FetchInit['body']);
}
