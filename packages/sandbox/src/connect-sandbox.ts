import type { Dials } from './dials.js';
import type { RecordedRequest } from './recorder.js';
import type { Sandbox, SandboxClock, SandboxUpstream } from './sandbox.js';

type ControlCall = <Reply>(method: string, path: string, body?: unknown) => Promise<Reply>;

/** Connects to a sandbox in another process and returns its controls. `stop` does not end the other process. */
export async function connectSandbox(url: string): Promise<Sandbox> {
  const base = url.endsWith('/') ? url.slice(0, -1) : url;
  const call = createControlCall(base);
  const of = (id: string) => `/upstreams/${encodeURIComponent(id)}`;
  const { upstreams } = await call<{ upstreams: SandboxUpstream[] }>('GET', '/');
  return {
    url: base,
    upstreams,
    upstream(id) {
      const match = upstreams.find((upstream) => upstream.id === id);
      if (match === undefined)
        throw new Error(
          `The sandbox at ${base} does not run the upstream "${id}". Start the sandbox with this upstream, or correct the id.`,
        );
      return match;
    },
    registerClient: (id, client) => call('POST', `${of(id)}/clients`, client),
    dials: (id, changes = {}) => call<Dials>('PATCH', `${of(id)}/dials`, changes),
    expireTokens: (id) => call('POST', `${of(id)}/expire-tokens`),
    revokeGrants: (id) => call('POST', `${of(id)}/revoke-grants`),
    sendWebhooks: async (id, trigger) =>
      (await call<{ sent: number }>('POST', `${of(id)}/webhooks`, { trigger })).sent,
    clock: remoteClock(call),
    requests: async (id) => {
      const query = id === undefined ? '' : `?id=${encodeURIComponent(id)}`;
      return (await call<{ requests: RecordedRequest[] }>('GET', `/requests${query}`)).requests;
    },
    clearRequests: () => call('DELETE', '/requests'),
    reset: () => call('POST', '/reset'),
    stop: async () => {},
  };
}

function createControlCall(base: string): ControlCall {
  return async (method, path, body) => {
    const sent =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await fetch(`${base}/_sandbox${path}`, { method, ...sent });
    const text = await response.text();
    if (!response.ok)
      throw new Error(
        `The sandbox responded with status ${response.status} to ${method} /_sandbox${path}: ${text}`,
      );
    return JSON.parse(text === '' ? 'null' : text);
  };
}

function remoteClock(call: ControlCall): SandboxClock {
  return {
    now: async () => (await call<{ now: number }>('GET', '/clock')).now,
    advance: async (ms) => (await call<{ now: number }>('POST', '/clock/advance', { ms })).now,
    reset: () => call('DELETE', '/clock'),
  };
}
