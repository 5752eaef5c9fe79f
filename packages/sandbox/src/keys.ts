import type { FastifyRequest } from 'fastify';

/** How a service looks for its key. Any key that begins with `sandbox-` is good. */
export interface KeyCheck {
  /** In lower case. */
  readonly header: string;
  /** What stands before the key, such as `Bearer`. */
  readonly scheme?: string;
  /** Requests that need no key; they are not looked at for one. */
  isOpen?(request: FastifyRequest): boolean;
  /** The service's own answer to a request without a good key. */
  refuse(request: FastifyRequest): KeyRefusal;
}

export interface KeyRefusal {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The keys of one upstream that were used, and those that were revoked. */
export type Keys = ReturnType<typeof createKeys>;

const GOOD = /^sandbox-./;

export function createKeys() {
  const used = new Set<string>();
  const revoked = new Set<string>();
  return {
    isGood(check: KeyCheck, request: FastifyRequest): boolean {
      const key = readKey(check, request);
      if (key === undefined || !GOOD.test(key) || revoked.has(key)) return false;
      used.add(key);
      return true;
    },
    /** Ends the life of every key that was used so far. */
    revoke(): void {
      for (const key of used) revoked.add(key);
    },
    reset(): void {
      used.clear();
      revoked.clear();
    },
  };
}

function readKey({ header, scheme }: KeyCheck, { headers }: FastifyRequest): string | undefined {
  const value = headers[header];
  if (typeof value !== 'string' || scheme === undefined) return typeof value === 'string' ? value : undefined;
  const [given = '', key] = value.split(' ');
  return given.toLowerCase() === scheme.toLowerCase() ? key : undefined;
}
