import { expect, test } from 'vitest';
import { accountOfToken } from './account-of-token.js';
import type { TokenLimits } from './token-limits.js';

const ada = { identifier: 'ada' };
const name = { connectionName: 'calendar', identifier: 'ada' };

const CHAINS: readonly { title: string; chain: readonly TokenLimits[]; account: object | undefined }[] = [
  { title: 'one connection of one user', chain: [{ ...ada, connections: ['calendar'] }], account: name },
  {
    title: 'one remaining connection of several',
    chain: [{ ...ada, connections: ['calendar', 'video'] }, { connections: ['calendar', 'mail'] }],
    account: name,
  },
  { title: 'one account by its id', chain: [{ ...ada, accounts: ['acct_1'] }], account: { id: 'acct_1' } },
  {
    title: 'one remaining account of several',
    chain: [{ ...ada, accounts: ['acct_1', 'acct_2'] }, { accounts: ['acct_2'] }],
    account: { id: 'acct_2' },
  },
  {
    title: 'a repeated connection',
    chain: [{ ...ada, connections: ['calendar', 'calendar'] }],
    account: name,
  },
  { title: 'every connection', chain: [ada], account: undefined },
  { title: 'two connections', chain: [{ ...ada, connections: ['calendar', 'video'] }], account: undefined },
  { title: 'no connection', chain: [{ ...ada, connections: [] }], account: undefined },
  { title: 'no user', chain: [{ connections: ['calendar'] }], account: undefined },
  {
    title: 'two users',
    chain: [{ ...ada, connections: ['calendar'] }, { identifier: 'bob' }],
    account: undefined,
  },
];

test.each(CHAINS)('the account of a token for $title', ({ chain, account }) => {
  expect(accountOfToken(chain)).toEqual(account);
});
