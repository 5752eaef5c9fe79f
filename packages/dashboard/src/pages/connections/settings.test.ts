import { describe, expect, test } from 'vitest';
import {
  type Connection,
  type ConnectionChange,
  changesOf,
  freeName,
  needsNewSecret,
  type Settings,
  settingsOf,
  toName,
  wrongName,
} from './settings.ts';

const connection: Connection = {
  id: 'conn_1',
  connectionName: 'calendar',
  connector: 'calendar',
  health: { state: 'working' },
  authType: 'oauth2',
  webhookUrl: null,
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
  allowUnannouncedPkce: false,
  approve: { default: 'destructive', tools: { calendar_create_event: 'always' } },
  storeUpstreamErrors: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  etag: '"1"',
};
const regions = { us: 'https://us.example', eu: 'https://eu.example' };
const before = settingsOf(connection, { regions });

interface Sent {
  readonly title: string;
  readonly change: Partial<Settings>;
  readonly sent: ConnectionChange;
}

describe('the request to change a connection', () => {
  test.each([
    { title: 'nothing without a change', change: {}, sent: {} },
    {
      title: 'nothing if only the order of the scopes changed',
      change: { scopes: ['write', 'read'] },
      sent: {},
    },
    { title: 'the changed scopes', change: { scopes: ['read'] }, sent: { scopes: ['read'] } },
    {
      title: 'a changed switch',
      change: { allowUnannouncedPkce: true },
      sent: { allowUnannouncedPkce: true },
    },
    { title: 'a typed secret', change: { clientSecret: 's' }, sent: { clientSecret: 's' } },
    { title: 'a changed region', change: { region: 'eu' }, sent: { region: 'eu' } },
    {
      title: 'a custom base URL instead of a region',
      change: { region: '', baseUrl: 'https://own.example' },
      sent: { baseUrl: 'https://own.example' },
    },
    {
      title: 'nothing if the approval policy was only copied',
      change: { approve: { ...connection.approve, tools: { ...connection.approve.tools } } },
      sent: {},
    },
    {
      title: 'the whole approval policy if one tool changed',
      change: { approve: { ...connection.approve, tools: { calendar_create_event: 'never' } } },
      sent: { approve: { default: 'destructive', tools: { calendar_create_event: 'never' } } },
    },
    {
      title: 'only the changed host',
      change: { hosts: { ...before.hosts, mail: 'https://other.example' } },
      sent: { hosts: { mail: 'https://other.example' } },
    },
  ] satisfies readonly Sent[])('contains $title', ({ change, sent }: Sent) => {
    expect(changesOf(before, { ...before, ...change })).toEqual(sent);
  });
});

test('a base URL of a region is shown as that region, and a custom one as no region', () => {
  expect(before.region).toBe('us');
  expect(settingsOf({ ...connection, baseUrl: 'https://own.example' }, { regions }).region).toBe('');
});

test.each([
  { title: 'another client ID needs it', change: { clientId: 'x' }, needs: true },
  { title: 'another token endpoint needs it', change: { tokenEndpoint: 'https://x.example' }, needs: true },
  {
    title: 'another client ID with a new secret does not',
    change: { clientId: 'x', clientSecret: 'y' },
    needs: false,
  },
  { title: 'other scopes do not', change: { scopes: [] }, needs: false },
])('the form requires the client secret again only if needed: $title', ({ change, needs }) => {
  expect(needsNewSecret(connection, change)).toBe(needs);
  expect(needsNewSecret({ ...connection, hasClientSecret: false }, change)).toBe(false);
});

test.each([
  { name: 'calendar-2', isValid: true },
  { name: 'Calendar', isValid: false },
  { name: '-calendar', isValid: false },
  { name: 'a'.repeat(65), isValid: false },
])('the validity of the connection name $name is $isValid', ({ name, isValid }) => {
  expect(wrongName(name) === undefined).toBe(isValid);
});

test.each([
  { text: 'Ada’s Büro', name: 'ada-s-buro' },
  { text: ' Sales  team! ', name: 'sales-team' },
  { text: '--CRM_2', name: 'crm_2' },
  { text: '日本', name: '' },
])('the suggested connection name for $text is $name', ({ text, name }) => {
  expect(toName(text)).toBe(name);
  expect(wrongName(toName(text))).toBe(undefined);
});

test('suggests a name that is not in use', () => {
  expect(freeName('calendar', new Set())).toBe('calendar');
  expect(freeName('calendar', new Set(['calendar', 'calendar-2']))).toBe('calendar-3');
});
