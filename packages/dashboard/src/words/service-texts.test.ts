import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LABELS, PAGES, RULES, toOperatorText } from './service-texts.ts';

const SERVER = path.join(import.meta.dirname, '../../../server/src');

/** Source text of the server, which contains every message that the dashboard rewrites. */
const serverText = globSync('**/*.ts', { cwd: SERVER, exclude: ['**/*.test.ts', 'generated/**'] })
  .map((file) => readFileSync(path.join(SERVER, file), 'utf8'))
  .join('\n');

test.each([
  [
    'The connection "crm" has no client id. Set clientId and clientSecret with PATCH /v1/connections/crm.',
    'The connection "crm" has no client id. Set “Client ID” and “Client secret” on the page “Connections”.',
  ],
  [
    'There is no connected account "a". GET /v1/accounts lists the accounts.',
    'There is no connected account "a". The page “Connected accounts” lists the accounts.',
  ],
  [
    'There is no connection "crm". Check the name, or create the connection with POST /v1/connections.',
    'There is no connection "crm". Check the name, or create the connection on the page “Connections”.',
  ],
  [
    'If it supports PKCE, send {"allowUnannouncedPkce":true} with PATCH /v1/connections/crm.',
    'If it supports PKCE, select “Allow an authorization server that does not announce PKCE” on the page “Connections”.',
  ],
  [
    'If `baseUrl` is wrong, correct it with PATCH /v1/connections/my.crm.',
    'If “Base URL” is wrong, correct it on the page “Connections”.',
  ],
  [
    'An application marked production needs a verify URL. Set verifyUrl (--verify-url), or turn production off.',
    'An application marked production needs a verify URL. Set “User verification URL”, or turn production off.',
  ],
  [
    'The application "Notes" was changed after you read it. Read it again, then repeat your change with the new ETag.',
    'The application "Notes" was changed after you read it. Load this page again, then repeat your change.',
  ],
  ['Send clientSecret together with this change.', 'Enter “Client secret” together with this change.'],
  ['"baseUrl" must have at most 2048 characters', '“Base URL” must have at most 2048 characters'],
  ['Send the key as `apiKey`.', 'Send the key as “API key”.'],
  [
    'openId.scopes does not contain "openid". Add "openid" to the scopes.',
    '“Scopes” does not contain "openid". Add "openid" to the scopes.',
  ],
  [
    'The connection "crm" already exists. Change it with PATCH, or choose another name.',
    'The connection "crm" already exists. Change it on its page, or choose another name.',
  ],
  [
    'The upstream is unreachable at https://aBc.example.',
    'The upstream is unreachable at https://aBc.example.',
  ],
])('%s', (message, text) => {
  expect(toOperatorText(message)).toBe(text);
});

test('every rule rewrites a text that the service still contains', () => {
  const unused: string[] = [];
  RULES.reduce((text, { words, rewrite }) => {
    if (text.search(words) === -1) unused.push(String(words));
    return text.replace(words, rewrite);
  }, serverText);
  expect(unused).toEqual([]);
});

test.each(Object.keys(LABELS))('the service still has the labelled field %s', (name) => {
  expect(serverText).toContain(name.split('.').at(-1));
});

test.each(Object.keys(PAGES))('the service still has operations of %s', (resource) => {
  expect(serverText).toMatch(new RegExp(`/${resource}\\b`));
});
