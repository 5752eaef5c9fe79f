import type { ClientRequest, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../errors.js';

export interface TunnelOptions {
  /** URL of the egress proxy, with a user name and a password if the proxy requires them. */
  readonly proxy: string;
  /** Host and port of the target, such as `example.com:443`. */
  readonly target: string;
  readonly timeoutMs: number;
}

const unusable = (text: string, cause?: unknown): ServiceError =>
  new ServiceError(
    'connection_failed',
    `The egress proxy (HTTPS_PROXY, HTTP_PROXY or ALL_PROXY) ${text}`,
    { reason: 'egress_proxy' },
    { cause },
  );

function refusedWith(status: number): ServiceError {
  if (status === 407)
    return unusable(
      'refused its user name or password. The operator of the service must set both in the URL of the proxy.',
    );
  return unusable(
    `refused the connection to the upstream (status ${status}). The operator of the service must allow the upstream's host on the proxy.`,
  );
}

/**
 * Decodes a user name or password in a URL. Leaves a `%` that begins no escape unchanged, because passwords such as
 * `50%off` contain it.
 */
const decoded = (text: string): string =>
  text.replace(/(?:%[\da-f]{2})+/gi, (part) => Buffer.from(part.replaceAll('%', ''), 'hex').toString());

function credentialsOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {};
  const pair = `${decoded(username)}:${decoded(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

async function createConnect({ proxy, target, timeoutMs }: TunnelOptions): Promise<ClientRequest> {
  const url = new URL(proxy);
  const options: RequestOptions = {
    method: 'CONNECT',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port || undefined,
    path: target,
    headers: { host: target, ...credentialsOf(url) },
    agent: false,
    signal: AbortSignal.timeout(timeoutMs),
  };
  // Imports node:http only here, because a static import would evaluate all its exports at each start. One of them,
  // `WebSocket`, loads the fetch implementation of Node.js.
  if (url.protocol === 'http:') return (await import('node:http')).request(options);
  const { request } = await import('node:https');
  // Sets the TLS options explicitly, because NODE_TLS_REJECT_UNAUTHORIZED can change their defaults.
  return request({ ...options, rejectUnauthorized: true, minVersion: 'TLSv1.2' });
}

/**
 * Opens a tunnel through an egress proxy with the method CONNECT (RFC 9110 section 9.3.6). Rejects with
 * `connection_failed` if that fails.
 */
export async function openTunnel(options: TunnelOptions): Promise<Socket> {
  const request = await createConnect(options);
  return new Promise((resolve, reject) => {
    request
      .once('connect', ({ statusCode = 0 }, socket: Socket, head) => {
        if (statusCode >= 200 && statusCode < 300) {
          if (head.length > 0) socket.unshift(head);
          return resolve(socket);
        }
        socket.destroy();
        reject(refusedWith(statusCode));
      })
      // Rejects for a normal response, because it means that the proxy did not open a tunnel.
      .once('response', (response) => {
        response.destroy();
        reject(refusedWith(response.statusCode ?? 0));
      })
      .once('error', (error) =>
        reject(
          unusable(
            'cannot be reached. The operator of the service must start the proxy or correct its URL.',
            error,
          ),
        ),
      )
      .end();
  });
}
