import { expect, test } from 'vitest';
import { limitsInWords } from './limits-in-words.ts';

const identifier = 'user_42';

test.each([
  { limits: { identifier }, words: 'none' },
  { limits: { identifier, account: 'work' }, words: 'label: work' },
  { limits: { identifier, account: '' }, words: 'accounts without a label' },
  { limits: { identifier, tools: [], readOnly: true }, words: 'tools: none; read-only' },
  {
    limits: {
      identifier,
      connections: ['calendar', 'video'],
      arguments: { calendar_list_events: { calendar_id: { eq: 'primary' } } },
      proxy: [{ path: '/v3/', methods: ['GET'] }, { path: '/v4' }],
      maxCalls: 7,
      approve: ['calendar_delete_event'],
    },
    words:
      'connections: calendar, video; arguments of: calendar_list_events; proxy: GET /v3/, /v4; 7 calls; needs approval: calendar_delete_event',
  },
])('limits are shown as "$words"', ({ limits, words }) => {
  expect(limitsInWords(limits)).toBe(words);
});
