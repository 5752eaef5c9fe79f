import { schemas } from '@svc/calendar/schemas';
import { describe, expect, test } from 'vitest';
import { tools } from '../src/index.js';
import { recordedClient } from './support/recorded-client.js';

const several = [
  { name: 'work', account: 'acct_1' },
  { name: 'private', account: { connectionName: 'calendar', identifier: 'user_42' } },
];

describe('the tools of a user with several accounts', () => {
  test('require the input field account, whose enum lists the account names', async () => {
    const { client, calls } = recordedClient();
    const { calendar_list_calendars: tool } = tools(client, { schemas, accounts: { calendar: several } });
    expect(tool.inputSchema).toMatchObject({
      required: ['account'],
      properties: { account: { type: 'string', enum: ['work', 'private'] } },
    });
    await tool.run({ account: 'work', max_results: 2 });
    await tool.run({ account: 'private' });
    expect(calls.map(({ call }) => call)).toMatchObject([
      { connectedAccountId: 'acct_1', toolInput: { max_results: 2 } },
      { connectionName: 'calendar', identifier: 'user_42', toolInput: {} },
    ]);
  });

  test('sends the label of an account with the call', async () => {
    const { client, calls } = recordedClient();
    const account = { connectionName: 'calendar', identifier: 'user_42', account: 'work' };
    const { calendar_list_calendars: tool } = tools(client, { schemas, accounts: { calendar: account } });
    await tool.run({});
    expect(calls[0]?.call).toMatchObject(account);
  });

  test.each([{}, { account: 'other' }, { account: null }, { account: ['work'] }])(
    'reject the input %j and list the account names',
    async (input) => {
      const { client, calls } = recordedClient();
      const { calendar_list_calendars: tool } = tools(client, { schemas, accounts: { calendar: several } });
      await expect(tool.run(input)).rejects.toMatchObject({
        failure: { code: 'invalid_input', message: '"account" must be one of "work", "private".' },
      });
      expect(calls).toEqual([]);
    },
  );

  test.each([
    { title: 'two accounts with the same name', calendar: [several[0], several[0]] },
    { title: 'an empty list of accounts', calendar: [] },
    { title: 'a missing account for a connector', calendar: undefined },
  ])('throws a TypeError for $title', ({ calendar }) => {
    const { client } = recordedClient();
    // The type assertion simulates a program without types, because the compiler rejects these accounts.
    const accounts = { calendar } as unknown as { calendar: string };
    expect(() => tools(client, { schemas, accounts })).toThrow(TypeError);
  });
});
