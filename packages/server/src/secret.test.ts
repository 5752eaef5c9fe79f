import { format, inspect } from 'node:util';
import { expect, test } from 'vitest';
import { secret } from './secret.js';

const hidden = secret('the secret itself');

test.each([
  { title: 'in a template', shown: `${hidden}` },
  { title: 'in JSON', shown: JSON.stringify({ hidden }) },
  { title: 'in inspect', shown: inspect({ hidden }, { depth: 9, showHidden: true }) },
  { title: 'in a format string', shown: format('%s %o %j', hidden, hidden, hidden) },
  { title: 'in an error', shown: String(new Error(`wrong: ${hidden}`)) },
  { title: 'in its entries', shown: Object.entries(hidden).join() },
])('K8: a secret printed $title is redacted', ({ shown }) => {
  expect(shown).not.toContain('the secret itself');
});

test('K8: a secret is revealed only explicitly', () => {
  expect(hidden.reveal()).toBe('the secret itself');
});
