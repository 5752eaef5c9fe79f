import { describe, expect, test } from 'vitest';
import {
  ACCOUNT_STATUS_REASONS,
  CONNECTION_STATUS_REASONS,
} from '../../../server/src/names/status-reasons.ts';
import { accountSchema, connectionSchema } from '../../../server/src/routes/account-schemas.ts';
import {
  ACCOUNT_STATUSES,
  type AccountFacts,
  type AuthType,
  accountWords,
  authWords,
  connectionWords,
  type StateWords,
} from './states.ts';

const AUTH_TYPES: readonly AuthType[] = ['oauth2', 'mcp_oauth', 'api_key', 'bearer_token', null];
const REASONS = [undefined, ...ACCOUNT_STATUS_REASONS];
const STATUSES = Object.keys(ACCOUNT_STATUSES) as AccountFacts['status'][];

const ALL_ACCOUNTS = STATUSES.flatMap((status) =>
  REASONS.flatMap((statusReason) =>
    AUTH_TYPES.map((authType): AccountFacts => {
      const facts = { status, authType, upstream: 'Calendar' };
      return statusReason === undefined ? facts : { ...facts, statusReason };
    }),
  ),
);

const READY = { authType: 'oauth2', baseUrl: 'https://api.example', clientId: 'abc' } as const;

function expectWords({ title, explanation, next }: StateWords): void {
  expect(title).toMatch(/^[A-Z][^_.]{3,24}$/);
  expect(explanation).toMatch(/^[A-Z][^_]{15,}\.$/);
  if (next !== undefined) expect(next).toMatch(/^[A-Z].{10,}\.$/);
}

describe('the state of an account in words', () => {
  test('every status of the API has words, and no other status has', () => {
    expect(new Set(STATUSES)).toEqual(new Set(accountSchema.properties['status']?.['enum'] as string[]));
  });

  test.each(ALL_ACCOUNTS)(
    'an account state has a title and an explanation: $status, $statusReason, $authType',
    (facts) => {
      const words = accountWords(facts);
      expectWords(words);
      expect(words.next === undefined).toBe(facts.status === 'authorized');
      expect(words.tone === 'good').toBe(facts.status === 'authorized');
    },
  );

  test('each status reason has its own explanation', () => {
    const ended = { status: 'reauthorization_required', authType: 'oauth2', upstream: 'Calendar' } as const;
    const explanations = ACCOUNT_STATUS_REASONS.map(
      (statusReason) => accountWords({ ...ended, statusReason }).explanation,
    );
    expect(new Set(explanations).size).toBe(ACCOUNT_STATUS_REASONS.length);
  });

  test.each(['api_key', 'bearer_token'] as const)(
    'the remedy for the auth type %s names no link',
    (authType) => {
      for (const facts of ALL_ACCOUNTS.filter((each) => each.authType === authType)) {
        const needsVerification = facts.status === 'pending_verification';
        if (!needsVerification) expect(accountWords(facts).next ?? '').not.toContain('link');
      }
    },
  );
});

describe('the state of a connection in words', () => {
  test.each(CONNECTION_STATUS_REASONS)(
    'the status reason %s has an explanation and a remedy',
    (statusReason) => {
      const words = connectionWords({ ...READY, statusReason });
      expectWords(words);
      expect(words).toMatchObject({ tone: 'bad', next: expect.any(String) });
    },
  );

  test.each([
    { title: 'a ready connection', facts: READY, tone: 'good' },
    { title: 'a connection without a client ID', facts: { ...READY, clientId: null }, tone: 'warn' },
    { title: 'a connection whose region was removed', facts: { ...READY, baseUrl: null }, tone: 'bad' },
    {
      title: 'a connection with API keys',
      facts: { ...READY, authType: 'api_key' as const, clientId: null },
      tone: 'good',
    },
    {
      title: 'a connection that registers its own client',
      facts: { ...READY, authType: 'mcp_oauth' as const, clientId: null },
      tone: 'good',
    },
  ])('$title has a title and an explanation', ({ facts, tone }) => {
    const words = connectionWords(facts);
    expectWords(words);
    expect(words.tone).toBe(tone);
  });

  test('every auth type has its own words', () => {
    const known = connectionSchema.properties['authType']?.['enum'] as AuthType[];
    const words = known.map(authWords);
    expect(new Set(words).size).toBe(known.length);
  });
});
