import { closed, named } from '../listener/list-schema.js';
import { CONNECTION_STATES } from '../names/connection-states.js';

const text = { type: 'string' };
const time = { type: 'string', format: 'date-time', examples: ['2026-11-20T09:00:00.000Z'] };

const DESCRIPTION = [
  'State of the connection in all instances of the service, from the worst to the best:',
  'not_configured: a setting is missing. client_refused: the authorization server refuses the client.',
  'not_answering: the upstream does not respond, and calls are refused. overloaded: too many calls are in progress.',
  'degraded: at least a fifth of the calls of the last five minutes failed. refresh_failing: tokens of some accounts',
  'cannot be refreshed. test_failed: the last test failed. not_tested: nobody tested the connection, and no call',
  'succeeded within the last hour. working: the last test or the last calls succeeded.',
].join(' ');

export const connectionHealthSchema = named(
  'ConnectionHealth',
  closed(
    {
      state: { ...text, enum: CONNECTION_STATES, description: DESCRIPTION, examples: ['working'] },
      since: {
        ...time,
        description: 'Time since which the connection has this state. Absent if the time is unknown.',
      },
      nextTryAt: {
        ...time,
        description:
          'not_answering: when the next call is sent to the upstream. Absent if the next call is sent at once.',
      },
      failedPercent: {
        type: 'integer',
        examples: [34],
        description: 'degraded: percentage of the last calls that failed.',
      },
      accounts: {
        type: 'integer',
        examples: [3],
        description: 'refresh_failing: number of accounts whose tokens cannot be refreshed, at most 10,000.',
      },
      reason: {
        ...text,
        examples: ['The upstream responds with status 503.'],
        description: 'Cause of the `state` of the connection.',
      },
    },
    ['state'],
  ),
);

export const connectionTestSchema = named(
  'ConnectionTest',
  closed(
    {
      at: time,
      isWorking: { type: 'boolean', examples: [true] },
      failedSteps: { type: 'array', items: { ...text, examples: ['client'] }, examples: [[]] },
      message: {
        ...text,
        examples: ['The token endpoint does not respond.'],
        description: 'Message of the first failed step of the connection test.',
      },
    },
    ['at', 'isWorking', 'failedSteps'],
  ),
);

export const refreshFailureSchema = named(
  'RefreshFailure',
  closed({
    since: { ...time, description: 'Time of the first failed token refresh since the last successful one.' },
    lastTriedAt: { ...time, description: 'Time of the last failed token refresh.' },
    reason: {
      ...text,
      examples: ['The authorization server does not respond.'],
      description: 'Cause of the last failed token refresh.',
    },
  }),
);
