import type { FastifyRequest } from 'fastify';
import type { Upstream } from './upstream.js';

/** Where a request went, as the real service would see it. */
export interface Location {
  /** The name of a further host; absent for the main one. */
  readonly host?: string;
  /** Without the sandbox's prefixes and without the query. */
  readonly path: string;
}

export function locate({ id, hosts = {} }: Upstream, { url }: FastifyRequest): Location {
  const path = (url.split('?', 1)[0] ?? '').slice(id.length + 1);
  for (const [host, { path: prefix }] of Object.entries(hosts)) {
    if (path.startsWith(`${prefix}/`)) return { host, path: path.slice(prefix.length) };
  }
  return { path };
}
