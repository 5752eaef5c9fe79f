import type { Options } from 'ky';
import type { Call, SendOptions, ServiceResponse } from './call.js';
import type { ClientOptions, FetchInit } from './config.js';
import { type Attempt, readResponse } from './read-response.js';
import type { TokenSource } from './token.js';

/** Settings for all calls of a client to the service. */
export interface SenderSettings extends ClientOptions {
  environmentUrl: string;
  /** Source of the access token. Absent: calls are sent without a token. */
  tokens?: TokenSource;
}

/** Returns the options from which ky builds the `Request` of each attempt. */
export function requestOptions(settings: SenderSettings, call: Call, options: SendOptions): Options {
  const { idempotencyKey } = options;
  return {
    method: call.method,
    prefix: settings.environmentUrl,
    searchParams: call.queryParams,
    json: call.body,
    signal: options.signal ?? null,
    headers: mergeHeaders(
      { 'idempotency-key': idempotencyKey || undefined },
      settings.headers,
      call.headers,
      options.headers,
    ),
  };
}

/**
 * Merges headers from several sources, ignoring the case of their names. The last value wins. Leaves out a header whose
 * value is `undefined`.
 */
function mergeHeaders(...layers: (Readonly<Record<string, string | undefined>> | undefined)[]): Headers {
  const merged = new Headers();
  for (const layer of layers) {
    for (const name in layer) if (layer[name] !== undefined) merged.set(name, layer[name]);
  }
  return merged;
}

/** Sends one attempt of a call and reads its response. Throws a `ServiceError` for an error response. */
export async function sendOnce(
  { url, headers, signal }: Request,
  attempt: Attempt & { readonly settings: SenderSettings },
): Promise<ServiceResponse> {
  const { settings, call } = attempt;
  const send = settings.fetch ?? fetch;
  const response = await send(url, {
    method: call.method,
    headers,
    signal,
    redirect: 'manual',
    duplex: 'half',
    body: payloadOf(call),
  });
  return readResponse(response as Response, attempt);
}

/**
 * Returns the original payload of a call. ky's `Request` contains the payload only as a stream, which browsers do not
 * send over HTTP/1.1.
 */
function payloadOf({ body, form_data = null }: Call): FetchInit['body'] {
  return JSON.stringify(body) ?? (form_data as FetchInit['body']);
}
