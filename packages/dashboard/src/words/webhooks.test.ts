import { describe, expect, test } from 'vitest';
import { endpointWords } from './endpoint-states.ts';
import { attemptWords, deliveryWords, EVENT_TYPES, pausesOf, titleOfEvent, typesWords } from './webhooks.ts';

const NOW = Date.parse('2026-11-20T09:00:00Z');
const at = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString();

describe('endpointWords', () => {
  test.each([
    { title: 'an enabled endpoint', endpoint: { enabled: true }, words: ['good', 'Enabled'] },
    {
      title: 'an endpoint whose attempts fail',
      endpoint: { enabled: true, failingSince: at(-3600) },
      words: ['bad', 'Failing'],
    },
    {
      title: 'an endpoint that a person disabled',
      endpoint: { enabled: false },
      words: ['soft', 'Switched off'],
    },
    {
      title: 'an endpoint that the service disabled, even if it also failed',
      endpoint: { enabled: false, disabledReason: 'failing', failingSince: at(-500_000) } as const,
      words: ['bad', 'Disabled'],
    },
    {
      title: 'an endpoint whose secret cannot be decrypted',
      endpoint: { enabled: true, pausedReason: 'secret_unreadable' } as const,
      words: ['bad', 'Paused'],
    },
  ])('describes $title', ({ endpoint, words }) => {
    const { tone, title } = endpointWords(endpoint, NOW);
    expect([tone, title]).toEqual(words);
  });

  test.each([
    { disabledReason: 'gone', explanation: /responded with status 410/ },
    { disabledReason: 'failing', explanation: /failed for five days/ },
  ] as const)('gives the reason $disabledReason and the remedy', ({ disabledReason, explanation }) => {
    const words = endpointWords({ enabled: false, disabledReason }, NOW);
    expect(words.explanation).toMatch(explanation);
    expect(words.next).toMatch(/enable the endpoint/);
  });
});

describe('deliveryWords', () => {
  test.each([
    {
      title: 'before the first attempt',
      delivery: { attemptCount: 0, nextAttemptAt: at(0) },
      words: 'Waiting',
    },
    { title: 'between attempts', delivery: { attemptCount: 2, nextAttemptAt: at(300) }, words: 'Retrying' },
    { title: 'behind an earlier delivery', delivery: { attemptCount: 0 }, words: 'Waiting' },
  ])('describes a pending delivery $title', ({ delivery, words }) => {
    expect(deliveryWords({ state: 'pending', ...delivery }, NOW).title).toBe(words);
  });

  test('says when the next attempt starts', () => {
    const delivery = { state: 'pending', attemptCount: 2, nextAttemptAt: at(300) } as const;
    expect(deliveryWords(delivery, NOW).explanation).toBe(
      'The last attempt failed. The next attempt starts in 5 minutes.',
    );
  });

  test('says that a disabled endpoint gets no attempt, though one is due', () => {
    const delivery = { state: 'pending', attemptCount: 0, nextAttemptAt: at(-60) } as const;
    expect(deliveryWords(delivery, NOW, { enabled: false }).explanation).toBe(
      'The endpoint is disabled. The service makes the next attempt when somebody enables it.',
    );
  });

  test('says that a paused endpoint gets no attempt before a new secret', () => {
    const delivery = { state: 'pending', attemptCount: 0, nextAttemptAt: at(-60) } as const;
    const paused = { enabled: true, pausedReason: 'secret_unreadable' };
    expect(deliveryWords(delivery, NOW, paused).explanation).toMatch(/paused.+rotated the signing secret/);
  });

  test('advises to resend a failed delivery', () => {
    expect(deliveryWords({ state: 'failed', attemptCount: 10 }, NOW).next).toMatch(/resend/);
  });
});

test.each([
  { attempt: { status: 204 }, words: { tone: 'good', title: 'Status 204' } },
  { attempt: { status: 302 }, words: { tone: 'bad', title: 'Status 302' } },
  {
    attempt: { failure: 'refused' },
    words: { tone: 'bad', title: 'No response: the endpoint refused the connection' },
  },
  { attempt: { failure: 'new_reason' }, words: { tone: 'bad', title: 'No response: new_reason' } },
  { attempt: {}, words: { tone: 'bad', title: 'No response: unknown reason' } },
])('attemptWords describes $attempt', ({ attempt, words }) => {
  expect(attemptWords({ at: at(0), durationMs: 1, ...attempt })).toEqual(words);
});

test('pausesOf measures each pause from the end of an attempt to the start of the next', () => {
  const attempts = [
    { at: at(0), durationMs: 1000 },
    { at: at(6), durationMs: 500 },
  ];
  expect(pausesOf({ attempts, nextAttemptAt: at(306.5) })).toEqual(['5.0 s', '5 min 0 s']);
  expect(pausesOf({ attempts })).toEqual(['5.0 s', '']);
});

test('typesWords names few types and counts many', () => {
  expect(typesWords(['account.deleted'])).toBe('Account deleted');
  expect(typesWords(EVENT_TYPES.slice(0, 3))).toBe('3\u00a0types');
  expect(typesWords(EVENT_TYPES)).toBe('All types');
});

test('a type that the dashboard does not know is shown as it is', () => {
  expect(titleOfEvent('account.archived')).toBe('account.archived');
});
