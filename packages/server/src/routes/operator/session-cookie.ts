import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_LIFE_MS } from '../../tenants/operator-sessions.js';

/** The cookie of a signed-in operator. */
export interface SessionCookie {
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, sessionId: string): void;
  clear(reply: FastifyReply): void;
}

const VALUE = /^[\w-]{43}$/;

/** Over https the cookie is bound to the host; plain http is for development on one machine. */
export function createSessionCookie(environmentUrl: string): SessionCookie {
  const secure = new URL(environmentUrl).protocol === 'https:';
  const name = secure ? '__Host-svc-session' : 'svc-session';
  const options = { path: '/', httpOnly: true, sameSite: 'strict', secure } as const;
  return {
    read: ({ cookies }) => {
      const value = cookies[name];
      return value !== undefined && VALUE.test(value) ? value : undefined;
    },
    set: (reply, sessionId) => {
      reply.setCookie(name, sessionId, { ...options, maxAge: SESSION_LIFE_MS / 1000 });
    },
    clear: (reply) => {
      reply.clearCookie(name, options);
    },
  };
}
