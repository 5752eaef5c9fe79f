import type { Client, ConnectedAccount } from '@svc/core';
import { network } from '@svc/network';
import { IDENTIFIER } from './connect.ts';
import { check, say } from './transcript.ts';

/**
 * Demo of the professional network connector. It combines the APIs of three companies, each of which needs its own key.
 */
export async function demoNetwork(svc: Client, account: ConnectedAccount): Promise<void> {
  const tools = network(svc, account);
  const { data: people } = await tools.peopleSearch({ search: 'engineer' });
  const url = people.elements?.[0]?.linkedinUrl ?? '';
  say(
    'tool   peopleSearch',
    people.elements?.map(({ linkedinUrl }) => linkedinUrl),
  );
  const { data: profile } = await tools.profileScrape({ profile_url: url, main: true });
  say('tool   profileScrape', profile.element?.headline);
  const { data: bulk } = await tools.profilesBulkScrape({
    scraper_token: 'sandbox-scraper',
    profile_urls: [url],
  });
  check('the second company was read with its own token', bulk.length === 1);
  const proxied = await svc.request<{ element: { publicIdentifier: string } }>({
    connectionName: 'network',
    identifier: IDENTIFIER,
    path: '/network/profile',
    queryParams: { url },
    method: 'GET',
  });
  say('proxy  GET /network/profile', {
    status: proxied.status,
    profile: proxied.data.element.publicIdentifier,
  });
}
