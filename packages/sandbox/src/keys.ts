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
export interface Keys {
  isGood(check: KeyCheck, request: FastifyRequest): boolean;
  /** Ends the life of every key that was used so far. */
  revoke(): void;
  reset(): void;
}

const GOOD = /^sandbox-./;

export function createKeys(): Keys {
  const used = new Set<string>();
  const revoked = new Set<string>();
  return {
    isGood(check, request) {
      const key = readKey(check, request);
      if (key === undefined || !GOOD.test(key) || revoked.has(key)) return false;
      used.add(key);
      return true;
    },
    revoke() {
      for (const key of used) revoked.add(key);
    },
    reset() {
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
