import { format, inspect } from 'node:util';
import { expect, test } from 'vitest';
import { secret } from './secret.js';

const hidden = secret('the secret itself');

test.each([
  { title: 'in a template', printed: `${hidden}` },
  { title: 'in JSON', printed: JSON.stringify({ hidden }) },
  { title: 'in inspect', printed: inspect({ hidden }, { depth: 9, showHidden: true }) },
  { title: 'in a format string', printed: format('%s %o %j', hidden, hidden, hidden) },
  { title: 'in an error', printed: String(new Error(`wrong: ${hidden}`)) },
  { title: 'in its entries', printed: Object.entries(hidden).join() },
])('K8: a secret printed $title is redacted', ({ printed }) => {
  expect(printed).not.toContain('the secret itself');
});

test('K8: a secret is revealed only explicitly', () => {
  expect(hidden.reveal()).toBe('the secret itself');
});
