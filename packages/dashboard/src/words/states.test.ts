import { describe, expect, test } from 'vitest';
import { ACCOUNT_STATUS_REASONS } from '../../../server/src/names/status-reasons.ts';
import { accountSchema } from '../../../server/src/routes/account-schemas.ts';
import { connectionSchema } from '../../../server/src/routes/connection-schemas.ts';
import {
  ACCOUNT_STATUSES,
  type AccountFacts,
  type AuthType,
  accountWords,
  authWords,
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

  test('an account with an untested key is not shown as connected', () => {
    const words = accountWords({
      status: 'authorized',
      authType: 'api_key',
      upstream: 'Calendar',
      notTested: true,
    });
    expectWords(words);
    expect(words).toMatchObject({ tone: 'soft', title: 'Not tested yet' });
  });

  test('an account whose token refresh fails is not shown as connected', () => {
    const now = new Date('2026-11-28T12:00:00').getTime();
    const refreshFailure = {
      since: new Date('2026-11-28T11:50:00').toISOString(),
      lastTriedAt: new Date('2026-11-28T11:59:00').toISOString(),
      reason: 'The authorization server does not respond.',
    };
    const facts = { authType: 'oauth2', upstream: 'Calendar', refreshFailure } as const;
    const words = accountWords({ ...facts, status: 'authorized' }, now);
    expectWords(words);
    expect(words).toMatchObject({
      tone: 'warn',
      title: 'Refresh failing',
      explanation:
        'The token refresh has failed since 11:50. The authorization server does not respond. Calls work until the access token expires.',
    });
    const expiresAt = new Date('2026-11-28T11:55:00').toISOString();
    expect(accountWords({ ...facts, status: 'authorized', expiresAt }, now).explanation).toContain(
      'The access token has expired, so calls fail.',
    );
    expect(accountWords({ ...facts, status: 'unauthorized' }, now).title).toBe('Waiting for consent');
  });

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

describe('the authorization of a connection in words', () => {
  test('every auth type has its own words', () => {
    const known = connectionSchema.properties['authType']?.['enum'] as AuthType[];
    const words = known.map(authWords);
    expect(new Set(words).size).toBe(known.length);
  });
});
