import { expect, test } from 'vitest';
import { environmentLines } from './environment-lines.ts';
import { type Connector, curlLines, mcpFile, mcpLines, programLines } from './set-up-lines.ts';

const client = { environmentUrl: 'https://svc.example.com', clientId: 'app_1' };

test('the environment variables contain a placeholder if the secret is unknown', () => {
  expect(environmentLines({ ...client, clientSecret: 'svc_sk_1' }).split('\n')).toEqual([
    'SVC_ENVIRONMENT_URL=https://svc.example.com',
    'SVC_CLIENT_ID=app_1',
    'SVC_CLIENT_SECRET=svc_sk_1',
  ]);
  expect(environmentLines(client)).toContain('SVC_CLIENT_SECRET=…');
});

test('the program requests a link for an OAuth connector, and sends a key for an API key connector', () => {
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

test('the program for a connector without tools calls the API of the connector', () => {
  const connector: Connector = { id: 'files', title: 'Files', authType: 'oauth2' };
  const lines = programLines({ connector, connectionName: 'files', example: undefined });
  expect(lines).toContain("import { createClient } from '@svc/files';");
  expect(lines).toContain("await client.request({ ...user, method: 'GET', path: '/' })");
});

test('the curl commands read the client secret from the environment', () => {
  const lines = curlLines(client.environmentUrl);
  expect(lines).toContain('-u "$SVC_CLIENT_ID:$SVC_CLIENT_SECRET"');
  expect(lines).toContain('https://svc.example.com/oauth/token');
});

test('the agent commands create a token for one connection and contain the MCP URL', () => {
  const lines = mcpLines(client.environmentUrl, 'work');
  expect(lines).toContain('"connections":["work"],"approve":"destructive"');
  expect(lines).toContain("claude mcp add --transport http svc 'https://svc.example.com/mcp' --header");
  expect(JSON.parse(mcpFile(client.environmentUrl))).toMatchObject({
    mcpServers: { svc: { url: 'https://svc.example.com/mcp' } },
  });
});
