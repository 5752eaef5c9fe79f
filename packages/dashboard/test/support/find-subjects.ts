import type { Subjects } from './addresses.ts';
import type { Operator } from './operator.ts';

interface Item {
  readonly id: string;
  readonly name: string;
  readonly connectionName: string;
  readonly identifier: string;
}

interface PageOfItems {
  readonly items: readonly Item[];
  readonly nextPageToken?: string;
}

/** Path parameters of the pages of objects, by the list that contains the objects. */
const PARAMETERS = {
  executions: 'executionId',
  approvals: 'approvalId',
  'webhook-endpoints': 'endpointId',
  deliveries: 'deliveryId',
  events: 'eventId',
};
const LONGEST_IDENTIFIER = 256;

async function listAll({ call }: Operator, path: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  let token: string | undefined = '';
  while (token !== undefined) {
    const query: string = `pageSize=100${token && `&pageToken=${encodeURIComponent(token)}`}`;
    const page: PageOfItems = await call('GET', `${path}?${query}`);
    items.push(...page.items);
    token = page.nextPageToken;
  }
  return items;
}

/** The path parameters of every object that has a page. */
export async function findSubjects(operator: Operator): Promise<readonly Subjects[]> {
  const applications = await listAll(operator, '/applications');
  const ofOne = applications.map(async ({ id: applicationId }): Promise<readonly Subjects[]> => {
    const below = `/applications/${applicationId}`;
    const [connections, ...others] = await Promise.all(
      ['connections', ...Object.keys(PARAMETERS)].map((list) => listAll(operator, `${below}/${list}`)),
    );
    const accounts = await Promise.all(
      (connections ?? []).map(({ connectionName }) =>
        listAll(operator, `${below}/connections/${encodeURIComponent(connectionName)}/accounts`),
      ),
    );
    return [
      { applicationId },
      ...(connections ?? []).map(({ connectionName }) => ({ applicationId, connectionName })),
      ...accounts.flat().map(({ id, connectionName, identifier }) => ({
        applicationId,
        connectionName,
        accountId: id,
        // The service creates no account with a longer identifier, so such a user has no page.
        ...(identifier.length <= LONGEST_IDENTIFIER && { identifier }),
      })),
      ...Object.values(PARAMETERS).flatMap((parameter, index) =>
        (others[index] ?? []).map(({ id }) => ({ applicationId, [parameter]: id })),
      ),
    ];
  });
  return [{}, ...(await Promise.all(ofOne)).flat()];
}
