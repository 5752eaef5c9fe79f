import { approve } from '@svc/sandbox';
import type { Operator } from '../test/support/operator.ts';

interface Identified {
  readonly id: string;
}

interface Place {
  readonly connectionName: string;
  readonly identifier: string;
}

const BY_KEY: readonly (Place & { readonly secrets: object })[] = [
  { connectionName: 'network', identifier: 'sales@acme.example', secrets: { apiKey: 'sandbox-network' } },
  { connectionName: 'network', identifier: 'research@acme.example', secrets: { apiKey: 'sandbox-network' } },
  {
    connectionName: 'scrapermcp',
    identifier: 'research@acme.example',
    secrets: { bearerToken: 'sandbox-scraper' },
  },
];
const BY_CONSENT: readonly (Place & { readonly user: string })[] = [
  { connectionName: 'calendar', identifier: 'ada@acme.example', user: 'ada' },
  { connectionName: 'calendar', identifier: 'grace@acme.example', user: 'grace' },
  { connectionName: 'video', identifier: 'studio@acme.example', user: 'ada' },
  { connectionName: 'workspace', identifier: 'ada@acme.example', user: 'ada' },
  { connectionName: 'filesite', identifier: 'office@acme.example', user: 'ada' },
  { connectionName: 'notesmcp', identifier: 'grace@acme.example', user: 'grace' },
];
const INVITED: readonly Place[] = [
  { connectionName: 'calendar', identifier: 'kim@acme.example' },
  { connectionName: 'video', identifier: 'events@acme.example' },
];

const pathOf = ({ connectionName, identifier }: Place) =>
  `/connections/${connectionName}/accounts/${encodeURIComponent(identifier)}`;

/** Puts into a new service what one would see in it after a few days; gives its application and accounts. */
export async function fill({ call }: Operator): Promise<{
  readonly applicationId: string;
  readonly accounts: readonly (Place & Identified)[];
  /** Of a call that was made. */
  readonly executionId: string;
}> {
  const { items } = await call<{ items: readonly Identified[] }>('GET', '/applications');
  const applicationId = items[0]?.id ?? '';
  const own = `/applications/${applicationId}`;
  await call('PATCH', own, {
    name: 'Acme assistant',
    redirectUrls: ['https://assistant.acme.example/connected'],
  });
  await call('POST', '/applications', { name: 'Acme support desk' });
  await call('POST', '/operators', { name: 'grace', role: 'operator' });
  await call('POST', '/operators', { name: 'auditor', role: 'reader' });
  const accounts: (Place & Identified)[] = [];
  const put = async (place: Place, secrets: object) => {
    const { id } = await call<Identified>('PUT', own + pathOf(place), secrets);
    accounts.push({ ...place, id });
  };
  for (const { secrets, ...place } of BY_KEY) await put(place, secrets);
  for (const { user, ...place } of BY_CONSENT) {
    await put(place, {});
    const { link } = await call<{ link: string }>('POST', `${own}${pathOf(place)}/authorization-link`, {});
    await approve(link, { user });
  }
  for (const place of INVITED) await put(place, {});
  const { executionId } = await call<{ executionId: string }>(
    'POST',
    `${own}/tools/calendar_list_events/execute`,
    {
      connectedAccountId: accounts.find(({ connectionName }) => connectionName === 'calendar')?.id,
      toolInput: {},
    },
  );
  return { applicationId, accounts, executionId };
}
