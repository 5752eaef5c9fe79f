import { format, inspect } from 'node:util';
import { expect, test } from 'vitest';
import { secret } from './secret.js';

const hidden = secret('the secret itself');

test.each([
  { title: 'as a text', shown: `${hidden}` },
  { title: 'as JSON', shown: JSON.stringify({ hidden }) },
  { title: 'by inspect', shown: inspect({ hidden }, { depth: 9, showHidden: true }) },
  { title: 'by a format', shown: format('%s %o %j', hidden, hidden, hidden) },
  { title: 'in an error', shown: String(new Error(`wrong: ${hidden}`)) },
  { title: 'by its keys', shown: Object.entries(hidden).join() },
])('K8: a secret shown $title is redacted', ({ shown }) => {
  expect(shown).not.toContain('the secret itself');
});

test('K8: a secret is revealed where it is asked for', () => {
  expect(hidden.reveal()).toBe('the secret itself');
});
