import type { Actions, Flow, World } from './secret-flows.js';

/** Lists requests that create, send or return agent tokens. The tests check that these secrets do not leak. */
export const tokenFlows = (
  { service, secrets, identifier }: World,
  { call, raw }: Actions,
): readonly Flow[] => [
  {
    title: 'a narrowed token is used up',
    ends: 403,
    run: async () => {
      const body = { identifier, expiresIn: 600, maxCalls: 1 };
      const made = await service.application.call('POST', '/v1/agent-tokens', { body });
      const { token } = made.json<{ token: string }>();
      secrets.add('a narrowed token', token);
      secrets.add('the signature of a narrowed token', token.slice(token.lastIndexOf('.') + 1));
      await call('GET', '/v1/agent-tokens');
      const use = () =>
        raw(`/v1/proxy/calendar/${identifier}/calendar/v3/users/me/calendarList`, {
          headers: { authorization: `Bearer ${token}` },
        });
      await use();
      return use();
    },
  },
];
