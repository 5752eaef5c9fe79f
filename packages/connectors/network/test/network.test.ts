import { type Client, createClient } from '@svc/core';
import { describe, expect, test } from 'vitest';
import { network, type Profile, type ProfileScrapeInput } from '../src/index.js';
import { schemas } from '../src/schemas.js';

/** Creates the connector with a fake client, which returns these pages, and the list of its calls. */
function recorded(...pages: readonly { readonly data: object; readonly nextInput?: object }[]) {
  const calls: unknown[] = [];
  const executeTool = async (call: unknown) => {
    calls.push(call);
    return {
      ...(pages[calls.length - 1] ?? { data: {} }),
      schemaVersion: '1.0.0',
      toolVersion: '1.0.0',
      executionId: 'exec_1',
    };
  };
  // The type assertion is safe, because the connector calls only `executeTool`.
  return { calls, tools: network({ executeTool } as unknown as Client, { id: 'acct_1' }) };
}

describe('network', () => {
  test('runs a tool with the account and the versions of the package', async () => {
    const { calls, tools } = recorded();
    await tools.geoSearch({ search: 'London' });
    expect(calls).toEqual([
      {
        toolName: 'network_geo_search',
        connectedAccountId: 'acct_1',
        toolInput: { search: 'London' },
        schemaVersion: '1.0.0',
        toolVersion: '1.0.0',
      },
    ]);
  });

  test('iterates over the records of every numbered page', async () => {
    const { calls, tools } = recorded(
      { data: { elements: [{ id: 'a' }] }, nextInput: { page: 2 } },
      { data: { elements: [{ id: 'b' }] } },
    );
    const ids: unknown[] = [];
    for await (const { id } of tools.peopleSearch.each({ search: 'Ada' })) ids.push(id);
    expect(ids).toEqual(['a', 'b']);
    expect(calls).toMatchObject([
      { toolInput: { search: 'Ada' } },
      { toolInput: { search: 'Ada', page: 2 } },
    ]);
  });

  test('has a schema for each of its 24 tools and marks the secret input', () => {
    expect(Object.keys(schemas)).toHaveLength(24);
    expect(schemas.network_profiles_bulk_scrape.inputSchema['properties']).toMatchObject({
      scraper_token: { writeOnly: true },
    });
  });
});

/** The function never runs. The compiler checks which calls compile. */
export async function typesAreExact(client: Client = createClient()): Promise<void> {
  const tools = network(client, 'acct_1');
  const input: ProfileScrapeInput = { profile_url: 'https://www.linkedin.com/in/ada-lovelace', main: true };
  const { data } = await tools.profileScrape(input);
  const profile: Profile = data.element;
  const headline: string | null | undefined = profile.headline;

  // @ts-expect-error nothing names the profile, such as profile_url
  await tools.profileScrape({ main: true });
  // @ts-expect-error profile_url and profile_id exclude each other
  await tools.profileScrape({ profile_url: 'a', profile_id: 'b' });
  // @ts-expect-error another tool has this value of posted_limit
  await tools.postsSearch({ posted_limit: 'week' });
  // @ts-expect-error the token of the scraping platform is needed
  await tools.profilesBulkScrape({ profile_urls: [`${headline}`] });
  // @ts-expect-error the profile is missing
  tools.profileCommentsList.each({ posted_limit: 'week' });
  // @ts-expect-error the result has no such field
  data.elements;
}
