import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Connector, toOperatorConnector } from './catalogue.ts';

interface File {
  readonly title: string;
  readonly setup?: string;
  readonly auth: {
    readonly scopes?: Connector['scopes'];
    readonly credentials?: Connector['credentials'];
  };
}

const SCHEMAS = path.resolve(import.meta.dirname, '../../../../schemas');
const FILES = globSync('*/connector.json', { cwd: SCHEMAS, exclude: ['meta/**'] }).map(
  (file) => JSON.parse(readFileSync(path.join(SCHEMAS, file), 'utf8')) as File,
);

const API_WORDS = /\b(?:GET|POST|PUT|PATCH|DELETE) \/|`[a-z]+[A-Z]\w*`|\b(?:connectedAs|baseUrl|apiKey)\b/;

test.each(FILES)('shows the texts of $title without names of API fields', ({ auth, setup }) => {
  const { scopes = [], credentials = [] } = auth;
  const shown = toOperatorConnector({ scopes, credentials, ...(setup !== undefined && { setup }) });
  const texts = [...shown.scopes, ...shown.credentials].map(({ description }) => description);
  for (const text of [...texts, shown.setup ?? '']) expect(text).not.toMatch(API_WORDS);
  for (const { name } of credentials) expect(shown.setup ?? '').not.toContain(`\`${name}\``);
});
