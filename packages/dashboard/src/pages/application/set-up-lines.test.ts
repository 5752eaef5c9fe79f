import { expect, test } from 'vitest';
import { environmentLines } from './environment-lines.ts';
import { type Connector, curlLines, mcpFile, mcpLines, programLines } from './set-up-lines.ts';

const client = { environmentUrl: 'https://svc.example.com', clientId: 'app_1' };

test('the environment has what the client reads, and dots where the secret is not known', () => {
  expect(environmentLines({ ...client, clientSecret: 'svc_sk_1' }).split('\n')).toEqual([
    'SVC_ENVIRONMENT_URL=https://svc.example.com',
    'SVC_CLIENT_ID=app_1',
    'SVC_CLIENT_SECRET=svc_sk_1',
  ]);
  expect(environmentLines(client)).toContain('SVC_CLIENT_SECRET=…');
});

test('a user of a connector with consent gets a link, one of a connector with keys gives a key', () => {
  const example = { toolName: 'calendar_list_calendars', input: { max_results: 1 } };
  const connector: Connector = { id: 'calendar', title: 'Calendar', authType: 'oauth2' };
  const lines = programLines({ connector, connectionName: 'work', example });
  expect(lines).toContain("import { calendar, createClient } from '@svc/calendar';");
  expect(lines).toContain("const user = { connectionName: 'work', identifier: 'user_42' };");
  expect(lines).toContain('await client.getAuthorizationLink(user)');
  expect(lines).toContain('await calendar(client, user).listCalendars({ max_results: 1 })');
  const keyed: Connector = { id: 'network', title: 'Network', authType: 'api_key' };
  const withKey = programLines({ connector: keyed, connectionName: 'network', example });
  expect(withKey).toContain('{ ...user, apiKey: ');
  expect(withKey).not.toContain('getAuthorizationLink');
});

test('a connector without tools is called as its API is', () => {
  const connector: Connector = { id: 'filesite', title: 'Files', authType: 'oauth2' };
  const lines = programLines({ connector, connectionName: 'filesite', example: undefined });
  expect(lines).toContain("import { createClient } from '@svc/filesite';");
  expect(lines).toContain("await client.request({ ...user, method: 'GET', path: '/' })");
});

test('curl asks for a token where the service gives them, without the secret in the line', () => {
  const lines = curlLines(client.environmentUrl);
  expect(lines).toContain('-u "$SVC_CLIENT_ID:$SVC_CLIENT_SECRET"');
  expect(lines).toContain('https://svc.example.com/oauth/token');
});

test('an agent gets a token for one connection, and the address where the tools are', () => {
  const lines = mcpLines(client.environmentUrl, 'work');
  expect(lines).toContain('"connections":["work"],"approve":"destructive"');
  expect(lines).toContain("claude mcp add --transport http svc 'https://svc.example.com/mcp' --header");
  expect(JSON.parse(mcpFile(client.environmentUrl))).toMatchObject({
    mcpServers: { svc: { url: 'https://svc.example.com/mcp' } },
  });
});
