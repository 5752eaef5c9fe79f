import { expect, test } from 'vitest';
import { foundHref, foundState, nothingFound } from './search.ts';

const found = {
  id: 'x_1',
  applicationId: 'app_1',
  title: 'mail',
  identifier: 'a/da',
  at: '2026-11-20T09:00:00.000Z',
};
const BELOW = '/dashboard/applications/app_1';

test.each([
  ['execution', `${BELOW}/executions/x_1`],
  ['account', `${BELOW}/connected-accounts/x_1`],
  ['approval', `${BELOW}/approvals/x_1`],
  ['connection', `${BELOW}/connections/mail`],
  ['webhookEndpoint', `${BELOW}/webhooks/endpoints/x_1`],
  ['event', `${BELOW}/webhooks/events/x_1`],
  ['delivery', `${BELOW}/webhooks/deliveries/x_1`],
  ['user', `${BELOW}/users/a%2Fda`],
  ['token', `${BELOW}/users/a%2Fda`],
  ['agentGrant', `${BELOW}/users/a%2Fda`],
] as const)('a found %s has the page %s', (kind, href) => {
  expect(foundHref(kind, found)).toBe(href);
});

test('a failed request that an execution counts has the page of this execution', () => {
  const counted = { ...found, executionId: 'exec_1' };
  expect(foundHref('failedRequest', counted)).toBe(`${BELOW}/executions/exec_1`);
});

test('a found audit event has the audit log at its moment', () => {
  const query = 'applicationId=app_1&since=2026-11-20T09%3A00%3A00.000Z&until=2026-11-20T09%3A00%3A00.001Z';
  expect(foundHref('auditEvent', found)).toBe(`/dashboard/audit?${query}`);
});

test('a search without results says how long records are kept', () => {
  expect(nothingFound({ groups: [], keptDays: { executions: 30, audit: 30 } })).toContain(
    'calls and audit events for 30 days',
  );
  expect(nothingFound({ groups: [], keptDays: { executions: 30, audit: 365 } })).toContain(
    'audit events for 365 days',
  );
});

test.each([
  ['execution', '200', 'Status 200'],
  ['execution', 'rate_limited', 'Rate limited'],
  ['account', 'reauthorization_required', 'Access ended'],
  ['approval', 'pending', 'Waiting for approval'],
  ['connection', 'invalid_client', 'Client rejected'],
  ['delivery', 'pending', 'Waiting'],
  ['webhookEndpoint', 'failing', 'Disabled'],
  ['auditEvent', 'refused', 'Refused'],
  ['account', 'from_the_future', 'from the future'],
] as const)('the state of a found %s, %s, is shown as: %s', (kind, state, words) => {
  expect(foundState(kind, { state })).toBe(words);
});
