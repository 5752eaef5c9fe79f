import { describe, expect, test } from 'vitest';
import {
  type Connection,
  type ConnectionChange,
  changesOf,
  freeName,
  needsSecretAgain,
  type Settings,
  settingsOf,
  wrongName,
} from './settings.ts';

const connection: Connection = {
  id: 'conn_1',
  connectionName: 'calendar',
  connector: 'calendar',
  authType: 'oauth2',
  redirectUri: 'https://agents.example/sso/v1/oauth/conn_1/callback',
  clientId: 'abc',
  hasClientSecret: true,
  scopes: ['read', 'write'],
  baseUrl: 'https://us.example',
  region: null,
  hosts: { files: 'https://files.example', mail: 'https://mail.example' },
  authorizationEndpoint: 'https://login.example/authorize',
  tokenEndpoint: 'https://login.example/token',
  revocationEndpoint: null,
  approve: { default: 'destructive', tools: { calendar_create_event: 'always' } },
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
};
const regions = { us: 'https://us.example', eu: 'https://eu.example' };
const before = settingsOf(connection, { regions });

interface Sent {
  readonly title: string;
  readonly change: Partial<Settings>;
  readonly sent: ConnectionChange;
}

describe('what is sent of a form', () => {
  test.each([
    { title: 'nothing when nothing was changed', change: {}, sent: {} },
    {
      title: 'nothing when scopes stand in another order',
      change: { scopes: ['write', 'read'] },
      sent: {},
    },
    { title: 'scopes', change: { scopes: ['read'] }, sent: { scopes: ['read'] } },
    { title: 'a secret that was typed', change: { clientSecret: 's' }, sent: { clientSecret: 's' } },
    { title: 'a region', change: { region: 'eu' }, sent: { region: 'eu' } },
    {
      title: 'an address in the place of a region',
      change: { region: '', baseUrl: 'https://own.example' },
      sent: { baseUrl: 'https://own.example' },
    },
    {
      title: 'nothing when what is asked about stands in another form',
      change: { approve: { ...connection.approve, tools: { ...connection.approve.tools } } },
      sent: {},
    },
    {
      title: 'all of what a person is asked about',
      change: { approve: { ...connection.approve, tools: { calendar_create_event: 'never' } } },
      sent: { approve: { default: 'destructive', tools: { calendar_create_event: 'never' } } },
    },
    {
      title: 'the one host that was changed',
      change: { hosts: { ...before.hosts, mail: 'https://other.example' } },
      sent: { hosts: { mail: 'https://other.example' } },
    },
  ] satisfies readonly Sent[])('$title', ({ change, sent }: Sent) => {
    expect(changesOf(before, { ...before, ...change })).toEqual(sent);
  });
});

test('shows a base URL that is of a region as that region, and another as none', () => {
  expect(before.region).toBe('us');
  expect(settingsOf({ ...connection, baseUrl: 'https://own.example' }, { regions }).region).toBe('');
});

test.each([
  { title: 'another client', change: { clientId: 'x' }, needs: true },
  { title: 'another token endpoint', change: { tokenEndpoint: 'https://x.example' }, needs: true },
  { title: 'both', change: { clientId: 'x', clientSecret: 'y' }, needs: false },
  { title: 'scopes', change: { scopes: [] }, needs: false },
])('the secret is wanted again, or not: $title', ({ change, needs }) => {
  expect(needsSecretAgain(connection, change)).toBe(needs);
  expect(needsSecretAgain({ ...connection, hasClientSecret: false }, change)).toBe(false);
});

test.each([
  { name: 'calendar-2', isRight: true },
  { name: 'Calendar', isRight: false },
  { name: '-calendar', isRight: false },
  { name: 'a'.repeat(65), isRight: false },
])('a name is right or not: $name', ({ name, isRight }) => {
  expect(wrongName(name) === undefined).toBe(isRight);
});

test('finds a name that is not taken', () => {
  expect(freeName('calendar', new Set())).toBe('calendar');
  expect(freeName('calendar', new Set(['calendar', 'calendar-2']))).toBe('calendar-3');
});
