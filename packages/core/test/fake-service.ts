import { type ClientOptions, createClient, type FetchInit } from '../src/index.js';

export const environmentUrl = 'https://svc.example';
export const credentials = { environmentUrl, clientId: 'app_1', clientSecret: 'svc_sk_secret' };

export const json = (body: unknown, init: ResponseInit = {}): Response =>
  new Response(JSON.stringify(body), {
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers },
  });

/** Creates an upstream's response as the service's proxy passes it on, with the service's request id. */
export const handedOn = (body: string, init: ResponseInit = {}): Response =>
  new Response(body, { ...init, headers: { 'svc-request-id': 'req_1', ...init.headers } });

/** Creates an error response of the service itself. */
export const failure = (
  status: number,
  code: string,
  details?: object,
  headers: Record<string, string> = {},
): Response =>
  json(
    { error: { code, message: `It is ${code}.`, details, requestId: 'req_1' } },
    { status, headers: { 'svc-error': code, ...headers } },
  );

type Reply = (request: Request) => Response | Promise<Response>;

/** Creates a client of a fake service, which returns the given replies in order and repeats the last one. */
export function fakeService(replies: readonly Reply[], options: ClientOptions = {}) {
  const requests: Request[] = [];
  const fetch = async (url: string, init: FetchInit): Promise<Response> => {
    const request = new Request(url, init);
    requests.push(request.clone());
    const reply = replies[Math.min(requests.length, replies.length) - 1];
    if (!reply) throw new TypeError('fetch failed');
    request.signal.throwIfAborted();
    return reply(request);
  };
  const svc = createClient({ environmentUrl, accessToken: 'token', fetch, ...options });
  return { svc, requests };
}
