import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const PACKAGES = path.join(import.meta.dirname, '../../..');

/** Source files of the packages that handle external texts. */
const files = globSync('{server,agents,catalog,core}/src/**/*.ts', { cwd: PACKAGES })
  .filter((file) => !file.includes('/generated/') && !file.endsWith('.test.ts'))
  .map((file) => ({ file, source: readFileSync(path.join(PACKAGES, file), 'utf8') }));

const filesWith = (pattern: RegExp): readonly string[] =>
  files.flatMap(({ file, source }) => (pattern.test(source) ? [file] : [])).toSorted();

// Allowed uses of `JSON.parse`, each with its harmless input. Other files use `parseJson` because of nodejs/node#63785:
// after an object with escaped keys, `JSON.parse` may misread the escaped keys of another object.
const PARSES_ITSELF: Readonly<Record<string, string>> = {
  'catalog/src/built-in.ts': 'a file of the package',
  'catalog/src/binding/replay.ts': 'a recorded call, in tests',
  'catalog/src/parse-json.ts': 'the parser, which gives JSON.parse no escaped key',
  'catalog/src/load/read-json.ts': 'a file of the operator',
  'core/src/read-response.ts': 'texts without escapes',
  'core/src/verify-webhook.ts': 'an event of the service, whose keys have no escapes',
  'server/src/applications/application.ts': 'a list of texts',
  'server/src/applications/idempotency.ts': 'fields of the service, whose values are texts',
  'server/src/applications/redirect-urls.ts': 'a list of texts',
  'server/src/authorization/pending-consents.ts': 'fields of the service',
  'server/src/commands/receipt-file.ts': 'a file of the operator',
  'server/src/connections/approval-policy.ts': 'fields of the service',
  'server/src/connections/account-details.ts': 'stored metadata, whose keys have no escapes',
  'server/src/connections/connection-oauth.ts': 'a list of texts',
  'server/src/connections/token-writer.ts': 'fields of the service',
  'server/src/events/delivery-log.ts': 'attempts of the service, whose keys have no escapes',
  'server/src/events/read-types.ts': 'a list of texts',
  'server/src/front/parse-json-body.ts': 'a comment',
  'server/src/grants/agent-access.ts': 'a list of texts',
  'server/src/grants/agent-clients.ts': 'a list of texts',
  'server/src/grants/registrations.ts': 'a list of texts',
  'server/src/log/readable-lines.ts': 'a line of the own log, whose field names have no escapes',
  'server/src/main.ts': 'a file of the package',
  'server/src/mcp/library.ts': 'a list of tools of the catalogue',
  'server/src/proxy/rewrite-json-paths.ts': 'one text',
  'server/src/proxy/hide-in-json.ts': 'one text',
  'server/src/proxy/rewrite-json-members.ts': 'one text',
  'server/src/records/execution-log.ts': 'fields of the service, whose names have no escapes',
  'server/src/routes/add-idempotency.ts': 'a response of the service about a token or a client',
  'server/src/start/sandbox-clients.ts': 'a file of the sandbox',
  'server/src/vault/reencrypt.ts': 'fields of the service',
};

test('external texts are parsed with parseJson', () => {
  expect(filesWith(/\bJSON\.parse\b/)).toEqual(Object.keys(PARSES_ITSELF).toSorted());
});

/** Files that may cut without `cutText`, because they cut lists or texts that stay inside the process. */
const CUTS_LISTS = [
  'catalog/src/binding/text-at.ts',
  'catalog/src/input/explain.ts',
  // Cuts a text, and replaces a half surrogate pair with toWellFormed.
  'core/src/read-response.ts',
  'core/src/verify-webhook.ts',
  'server/src/approvals/describe-call.ts',
  'server/src/commands/account-commands.ts',
  'server/src/events/finish-deliveries.ts',
  'server/src/health/connection-health.ts',
  'server/src/health/health.ts',
  'server/src/health/instance-report.ts',
  'server/src/limits/shared-rates.ts',
  'server/src/mcp-client/tool-list-changes.ts',
  'server/src/mcp/search-words.ts',
  'server/src/mcp/tool-search.ts',
  'server/src/oauth/discover.ts',
  'server/src/records/search.ts',
  'server/src/text/accept.ts',
  'server/src/tokens/check-token-names.ts',
  'server/src/upstream/execution-cause.ts',
];

test('texts are truncated with cutText, which keeps surrogate pairs whole', () => {
  // Matches a cut at a constant such as `MOST_WORDS`, at a variable for a limit, or at more than 30 characters.
  expect(
    filesWith(
      /\.(?:slice\(0, *(?:M(?:OST|AX)_\w+|most\w*|max\w*|3[1-9]|[4-9]\d|\d{3,})\)|substring\(|substr\()/,
    ),
  ).toEqual(CUTS_LISTS);
});

/** Handlers that slice lists, digits of a time, or a text at a delimiter that they found. */
const SLICES_LISTS = [
  'server/src/tools/handlers/calendar/time.ts',
  'server/src/tools/handlers/filesite/office-text.ts',
  'server/src/tools/handlers/network/network.ts',
  'server/src/tools/handlers/scrapermcp/cut.ts',
  'server/src/tools/handlers/scrapermcp/log.ts',
];

test('handlers slice texts with sliceText, which keeps surrogate pairs whole', () => {
  const handlers = filesWith(/\.(?:slice\([^()]+,|substring\(|substr\(|slice\(-)|\.slice\(\([^)]*\),/).filter(
    (file) => file.includes('/tools/handlers/'),
  );
  expect(handlers).toEqual(SLICES_LISTS);
});
