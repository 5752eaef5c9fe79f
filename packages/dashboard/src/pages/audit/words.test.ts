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
  { actor: 'app_1', who: 'The application Notes' },
  { actor: 'app_gone', who: 'The application app_gone' },
  { actor: 'token:tok_1', who: 'Whoever holds the token tok_1' },
  { actor: 'command', who: 'Somebody at the command line' },
  { actor: 'service', who: 'The service itself' },
  { actor: 'user', who: 'Somebody in a browser' },
])('$actor is called $who', ({ actor, who }) => {
  expect(whoOf(actor, names)).toBe(who);
});

test.each([
  { given: event('connection.created'), what: 'made the connection calendar' },
  {
    given: event('connection.changed', { reason: 'clientId,baseUrl' }),
    what: 'changed the connection calendar: client id, base URL',
  },
  {
    given: event('connection.changed', { reason: 'accepted_by_upstream' }),
    what: 'found that the service behind the connection calendar accepts its client again',
  },
  { given: event('connection.deleted', { object: 'conn_9', reason: 'work' }), what: /the connection work / },
  { given: event('operator.created', { object: 'op_1', reason: 'grace, reader' }), what: /operator grace$/ },
  { given: event('operator.signed_in', { reason: 'passkey' }), what: 'signed in by passkey' },
])('$given.action is said with its object and reason', ({ given, what }) => {
  expect(whatOf(given, names)).toMatch(what);
});

test('an action of a newer version is told by its name', () => {
  const given = { ...event('connection.created'), action: 'connection.renamed' } as unknown as AuditEvent;
  expect(whatOf(given, names)).toBe('caused connection.renamed of calendar');
});

// That no action is missing, the compiler says: the service names them all in its description.
test.each(Object.keys(ACTIONS) as AuditAction[])(
  '%s reads as a sentence, with and without a reason',
  (action) => {
    for (const reason of [null, 'password']) {
      expect(whatOf(event(action, { reason }), names)).toMatch(/^[a-z].*[a-z0-9_]$/i);
      expect(whatOf(event(action, { reason }), names)).not.toMatch(/undefined|null| {2}|: *$/);
    }
  },
);
