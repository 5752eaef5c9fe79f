import { expect, test } from 'vitest';
import { ACTIONS, type AuditAction, type AuditEvent, whatOf, whoOf } from './words.ts';

const names = new Map([
  ['app_1', 'Notes'],
  ['conn_1', 'calendar'],
]);

const event = (action: AuditAction, given: Partial<AuditEvent> = {}): AuditEvent => ({
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
  ...given,
});

test.each([
  { actor: 'operator:ada', who: 'ada' },
  { actor: 'app_1', who: 'Application Notes' },
  { actor: 'app_gone', who: 'Application app_gone' },
  { actor: 'token:tok_1', who: 'Token tok_1' },
  { actor: 'command', who: 'Command line' },
  { actor: 'service', who: 'Service' },
  { actor: 'user', who: 'User in a browser' },
])('the actor $actor is shown as "$who"', ({ actor, who }) => {
  expect(whoOf(actor, names)).toBe(who);
});

test.each([
  { given: event('connection.created'), what: 'created the connection calendar' },
  {
    given: event('connection.changed', { reason: 'clientId,baseUrl' }),
    what: 'changed the connection calendar: client id, base URL',
  },
  {
    given: event('connection.changed', { reason: 'accepted_by_upstream' }),
    what: 'detected that the upstream accepts the client of the connection calendar again',
  },
  { given: event('connection.deleted', { object: 'conn_9', reason: 'work' }), what: /the connection work / },
  { given: event('operator.created', { object: 'op_1', reason: 'grace, reader' }), what: /operator grace$/ },
  { given: event('operator.signed_in', { reason: 'passkey' }), what: 'signed in by passkey' },
])('$given.action is described with its object and reason', ({ given, what }) => {
  expect(whatOf(given, names)).toMatch(what);
});

test('an unknown action is described by its name', () => {
  const given = { ...event('connection.created'), action: 'connection.renamed' } as unknown as AuditEvent;
  expect(whatOf(given, names)).toBe('performed connection.renamed on calendar');
});

// The compiler reports missing actions, because the OpenAPI document lists all of them.
test.each(Object.keys(ACTIONS) as AuditAction[])(
  '%s has a complete description with and without a reason',
  (action) => {
    for (const reason of [null, 'password']) {
      expect(whatOf(event(action, { reason }), names)).toMatch(/^[a-z].*[a-z0-9_]$/i);
      expect(whatOf(event(action, { reason }), names)).not.toMatch(/undefined|null| {2}|: *$/);
    }
  },
);
