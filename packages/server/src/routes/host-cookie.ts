import type { FastifyReply, FastifyRequest } from 'fastify';

/** A cookie of this site alone, which no script reads. */
export interface HostCookie {
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, value: string): void;
  clear(reply: FastifyReply): void;
}

export interface HostCookieOptions {
  readonly name: string;
  readonly lifeMs: number;
  /** `lax` is sent along where another site's link or redirect leads here, and not with its forms. */
  readonly sameSite: 'strict' | 'lax';
  /** What another value than ours does not look like. */
  readonly form: RegExp;
}

/** Over https the cookie is bound to the host; plain http is for development on one machine. */
export function createHostCookie(
  environmentUrl: string,
  { name: plainName, lifeMs, sameSite, form }: HostCookieOptions,
): HostCookie {
  const secure = new URL(environmentUrl).protocol === 'https:';
  const name = secure ? `__Host-${plainName}` : plainName;
  const options = { path: '/', httpOnly: true, sameSite, secure } as const;
  return {
    read: ({ cookies }) => {
      const value = cookies[name];
      return value !== undefined && form.test(value) ? value : undefined;
    },
    set: (reply, value) => {
      reply.setCookie(name, value, { ...options, maxAge: lifeMs / 1000 });
    },
    clear: (reply) => {
      reply.clearCookie(name, options);
    },
  };
}
