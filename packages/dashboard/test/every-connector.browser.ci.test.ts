import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { partOf } from '../../server/test/support/part-of.ts';
import { hrefOf, PATHS, withQuery } from '../src/paths.ts';
import { owner, stage, visit } from './support/visit.ts';

// First in every list, however many accounts other tests have made.
const IDENTIFIER = '!walker@example.com';

/** Opens the link that the dialog shows, and allows what is asked for, as a user does. */
async function approve(page: Page): Promise<void> {
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Open the link' }).click();
  const user = await opened;
  const allow = user.getByRole('button', { name: /continue|weiter|allow/i });
  while (!/\/callback/.test(user.url())) {
    const before = user.url();
    await allow.first().click();
    await user.waitForURL((url) => url.href !== before);
  }
  await user.close();
  await page.getByRole('button', { name: 'Show the account' }).click();
}

async function giveKey(page: Page): Promise<void> {
  await page.getByLabel(/^(API key|Token)$/).fill('sandbox-walker');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}

const CONNECTORS = [
  { connector: 'workspace', connect: approve, tool: 'workspace_users_list' },
  { connector: 'calendar', connect: approve, tool: 'calendar_list_calendars' },
  { connector: 'video', connect: approve, tool: 'video_reporting_list_report_types' },
  { connector: 'filesite', connect: approve },
  { connector: 'notesmcp', connect: approve, tool: 'notesmcp_list_meetings' },
  { connector: 'network', connect: giveKey, tool: 'network_geo_search' },
  { connector: 'convintel', connect: giveKey, tool: 'convintel_organization_get' },
  { connector: 'scrapermcp', connect: giveKey, tool: 'scrapermcp_search_docs' },
];

test.each(partOf(CONNECTORS, 3))(
  'an account of $connector is connected and used in the playground',
  async ({ connector, connect, tool }) => {
    const { page, problems } = await visit(onTestFinished, { as: await owner() });
    const subjects = { ...stage().subjects, connectionName: connector };
    await page.goto(hrefOf(PATHS.connection, subjects));
    await page.getByRole('button', { name: 'Connect an account' }).click();
    await page.getByLabel('Identifier').fill(IDENTIFIER);
    const makeLink = page.getByRole('button', { name: 'Make the link' });
    if (connect === approve) await makeLink.click();
    await connect(page);
    await page.getByRole('heading', { name: IDENTIFIER }).waitFor();
    if (tool !== undefined) {
      const address = hrefOf(PATHS.tool, { ...subjects, toolName: tool });
      // Other tests make connections to the same service, and the first of all is the one that is offered.
      await page.goto(withQuery(address, { connectionName: connector }));
      await page.getByRole('radio', { name: IDENTIFIER }).check();
      const example = page.getByRole('button', { name: 'Fill in this example' });
      if ((await example.count()) > 0) await example.click();
      await page.getByRole('button', { name: `Run as ${IDENTIFIER}` }).click();
      await page
        .getByText(/^Done in /)
        .first()
        .waitFor();
    }
    // Pages of the emulated upstreams have no icon.
    expect(problems.filter((problem) => !problem.endsWith('/favicon.ico)'))).toEqual([]);
  },
);
