import type { FastifyReply, FastifyRequest } from 'fastify';

interface HostCookieOptions {
  readonly name: string;
  readonly lifeMs: number;
  /**
   * SameSite attribute. `lax` sends the cookie with links and redirects from other sites, but not with their forms.
   */
  readonly sameSite: 'strict' | 'lax';
  /** Regular expression for valid cookie values. A cookie with another value is ignored. */
  readonly form: RegExp;
}

/**
 * Creates a cookie that no script can read and that is sent only to this service. With https, the cookie is bound to
 * the host. Plain http is only for development on one machine.
 */
export function createHostCookie(
  environmentUrl: string,
  { name: plainName, lifeMs, sameSite, form }: HostCookieOptions,
) {
  const secure = new URL(environmentUrl).protocol === 'https:';
  const name = secure ? `__Host-${plainName}` : plainName;
  const options = { path: '/', httpOnly: true, sameSite, secure } as const;
  return {
    read: ({ cookies }: FastifyRequest): string | undefined => {
      const value = cookies[name];
      return value !== undefined && form.test(value) ? value : undefined;
    },
    set: (reply: FastifyReply, value: string): void => {
      reply.setCookie(name, value, { ...options, maxAge: lifeMs / 1000 });
    },
    clear: (reply: FastifyReply): void => {
      reply.clearCookie(name, options);
    },
  };
}

export type HostCookie = ReturnType<typeof createHostCookie>;
