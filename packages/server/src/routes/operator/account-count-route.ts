import type { FastifyInstance } from 'fastify';
import type { AccountFilter, AccountList } from '../../connections/account-list.js';
import { closed, named } from '../../listener/list-schema.js';
import { accountFilters } from '../account-schemas.js';

const counted = named(
  'AccountCount',
  closed({
    count: { type: 'integer', description: 'Number of accounts, at most 1,000.' },
    more: { type: 'boolean', description: 'True if there are more than 1,000 accounts.' },
  }),
  { count: 1000, more: true },
);

/** Adds the operation that counts the accounts of a list. A hook of `app` must authenticate operators. */
export function addAccountCountRoute(
  app: FastifyInstance,
  { accountList }: { readonly accountList: Pick<AccountList, 'count'> },
): void {
  app.get<{ Querystring: AccountFilter }>(
    '/accounts/count',
    {
      schema: {
        tags: ['accounts'],
        summary: 'Count accounts of all connections',
        operationId: 'countAccounts',
        description: 'Counts the accounts that match the filters, up to 1,000 accounts.',
        errors: ['connection_not_found'],
        querystring: closed(accountFilters, []),
        response: { 200: counted },
      },
    },
    ({ applicationId, query }) => accountList.count(applicationId, query),
  );
}
