import type { FastifyRequest } from 'fastify';

/** Header in which an emulated service expects its API key. Every key that begins with `sandbox-` is valid. */
export interface KeyCheck {
  /** Header name in lower case. */
  readonly header: string;
  /** Authentication scheme before the key, such as `Bearer`. */
  readonly scheme?: string;
  isOpen?(request: FastifyRequest): boolean;
  refuse(request: FastifyRequest): KeyRefusal;
}

export interface KeyRefusal {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

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
