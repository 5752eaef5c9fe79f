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

function expectWords({ title, story, next }: StateWords): void {
  expect(title).toMatch(/^[A-Z][^_.]{3,24}$/);
  expect(story).toMatch(/^[A-Z][^_]{15,}\.$/);
  if (next !== undefined) expect(next).toMatch(/^[A-Z].{10,}\.$/);
}

describe('what an account is said to be', () => {
  test('there are words for every status that the service has, and for no other', () => {
    expect(new Set(STATUSES)).toEqual(new Set(accountSchema.properties['status']?.['enum'] as string[]));
  });

  test.each(ALL_ACCOUNTS)('is a sentence: $status, $statusReason, $authType', (facts) => {
    const words = accountWords(facts);
    expectWords(words);
    expect(words.next === undefined).toBe(facts.status === 'authorized');
    expect(words.tone === 'good').toBe(facts.status === 'authorized');
  });

  test('tells each reason apart', () => {
    const ended = { status: 'reauthorization_required', authType: 'oauth2', upstream: 'Calendar' } as const;
    const stories = ACCOUNT_STATUS_REASONS.map(
      (statusReason) => accountWords({ ...ended, statusReason }).story,
    );
    expect(new Set(stories).size).toBe(ACCOUNT_STATUS_REASONS.length);
  });

  test.each(['api_key', 'bearer_token'] as const)('wants no link of who gives a key (%s)', (authType) => {
    for (const facts of ALL_ACCOUNTS.filter((each) => each.authType === authType)) {
      const isOfApproval = facts.status === 'pending_verification';
      if (!isOfApproval) expect(accountWords(facts).next ?? '').not.toContain('link');
    }
  });
});

describe('what a connection is said to be', () => {
  test.each(CONNECTION_STATUS_REASONS)('is a sentence with what to do: %s', (statusReason) => {
    const words = connectionWords({ ...READY, statusReason });
    expectWords(words);
    expect(words).toMatchObject({ tone: 'bad', next: expect.any(String) });
  });

  test.each([
    { title: 'ready', facts: READY, tone: 'good' },
    { title: 'without a client', facts: { ...READY, clientId: null }, tone: 'warn' },
    { title: 'of a region that is gone', facts: { ...READY, baseUrl: null }, tone: 'bad' },
    { title: 'of keys', facts: { ...READY, authType: 'api_key' as const, clientId: null }, tone: 'good' },
    {
      title: 'registering itself',
      facts: { ...READY, authType: 'mcp_oauth' as const, clientId: null },
      tone: 'good',
    },
  ])('is a sentence: $title', ({ facts, tone }) => {
    const words = connectionWords(facts);
    expectWords(words);
    expect(words.tone).toBe(tone);
  });

  test('says of every auth type how its users are connected', () => {
    const known = connectionSchema.properties['authType']?.['enum'] as AuthType[];
    const words = known.map(authWords);
    expect(new Set(words).size).toBe(known.length);
  });
});
