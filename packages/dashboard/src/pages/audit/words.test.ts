import { expect, test } from 'vitest';
import { ACTIONS, type AuditAction, type AuditEvent, whatOf, whoOf } from './words.ts';

const names = new Map([
  ['app_1', 'Notes'],
  ['conn_1', 'calendar'],
]);

const eventOf = (action: AuditAction, fields: Partial<AuditEvent> = {}): AuditEvent => ({
  id: 'audit_1',
  at: '2026-11-22T09:00:00.000Z',
  applicationId: 'app_1',
  actor: 'operator:ada',
  action,
  object: 'conn_1',
  result: 'done',
  reason: null,
  requestId: null,
  address: null,
  ...fields,
});

test.each([
  { actor: 'operator:ada', who: 'ada' },
  { actor: 'app_1', who: 'Application Notes' },
  { actor: 'app_deleted', who: 'Application app_deleted' },
  { actor: 'token:tok_1', who: 'Token tok_1' },
  { actor: 'command', who: 'Command line' },
  { actor: 'service', who: 'Service' },
  { actor: 'user', who: 'User in a browser' },
])('the actor $actor is shown as "$who"', ({ actor, who }) => {
  expect(whoOf(actor, names)).toBe(who);
});

test.each([
  { event: eventOf('connection.created'), what: 'created the connection calendar' },
  {
    event: eventOf('connection.changed', { reason: 'clientId,baseUrl' }),
    what: 'changed the connection calendar: client id, base URL',
  },
  {
    event: eventOf('connection.changed', { reason: 'accepted_by_upstream' }),
    what: 'detected that the upstream accepts the client of the connection calendar again',
  },
  {
    event: eventOf('connection.deleted', { object: 'conn_9', reason: 'work' }),
    what: /the connection work /,
  },
  {
    event: eventOf('operator.created', { object: 'op_1', reason: 'grace, reader' }),
    what: /operator grace$/,
  },
  { event: eventOf('operator.signed_in', { reason: 'passkey' }), what: 'signed in by passkey' },
  {
    event: eventOf('connection.checked', { reason: 'base_url,client' }),
    what: /calendar, which failed at base URL, client$/,
  },
  {
    event: eventOf('webhook_endpoint.paused', { object: 'ep_1', reason: 'secret_unreadable' }),
    what: 'paused the webhook endpoint ep_1: The service cannot decrypt the signing secret.',
  },
])('$event.action is described with its object and reason', ({ event, what }) => {
  expect(whatOf(event, names)).toMatch(what);
});

test('an unknown action is described by its name', () => {
  const event = {
    ...eventOf('connection.created'),
    action: 'connection.renamed',
  } as unknown as AuditEvent;
  expect(whatOf(event, names)).toBe('performed connection.renamed on calendar');
});

// The compiler reports missing actions, because the OpenAPI document lists all of them.
test.each(Object.keys(ACTIONS) as AuditAction[])(
  '%s has a complete description with and without a reason',
  (action) => {
    for (const reason of [null, 'password']) {
      expect(whatOf(eventOf(action, { reason }), names)).toMatch(/^[a-z].*[a-z0-9_]$/i);
      expect(whatOf(eventOf(action, { reason }), names)).not.toMatch(/undefined|null| {2}|: *$/);
    }
  },
);
