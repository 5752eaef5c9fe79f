import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { partOf } from '../../server/test/support/runner/part-of.ts';
import { hrefOf, PATHS, withQuery } from '../src/paths.ts';
import { owner, stage, visit } from './support/visit.ts';

// "!" sorts first in every list, before the accounts of other tests.
const IDENTIFIER = '!walker@example.com';

/** Opens the link of the dialog, and gives consent as a user. */
async function giveConsent(page: Page): Promise<void> {
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'Open link' }).click();
  const user = await opened;
  const allow = user.getByRole('button', { name: /continue|weiter|allow/i });
  while (!/\/connect\/result\//.test(user.url())) {
    const before = user.url();
    await allow.first().click();
    await user.waitForURL((url) => url.href !== before);
  }
  await user.close();
  await page.getByRole('button', { name: 'Show account' }).click();
}

async function enterKey(page: Page): Promise<void> {
  await page.getByLabel(/^(API key|Token)$/).fill('sandbox-walker');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}

const CONNECTORS = [
  { connector: 'workspace', connect: giveConsent, tool: 'workspace_users_list' },
  { connector: 'calendar', connect: giveConsent, tool: 'calendar_list_calendars' },
  { connector: 'video', connect: giveConsent, tool: 'video_reporting_list_report_types' },
  { connector: 'filesite', connect: giveConsent },
  { connector: 'notesmcp', connect: giveConsent, tool: 'notesmcp_list_meetings' },
  { connector: 'network', connect: enterKey, tool: 'network_geo_search' },
  { connector: 'convintel', connect: enterKey, tool: 'convintel_organization_get' },
  { connector: 'scrapermcp', connect: enterKey, tool: 'scrapermcp_search_docs' },
];

test.each(partOf(CONNECTORS, 3))(
  'an account of $connector can be connected and used in the playground',
  async ({ connector, connect, tool }) => {
    const { page, problems } = await visit(onTestFinished, { as: await owner() });
    const subjects = { ...stage().subjects, connectionName: connector };
    await page.goto(hrefOf(PATHS.connection, subjects));
    await page.getByRole('button', { name: 'Connect account' }).click();
    await page.getByLabel('User identifier').fill(IDENTIFIER);
    const createLink = page.getByRole('button', { name: 'Create link' });
    if (connect === giveConsent) await createLink.click();
    await connect(page);
    await page.getByRole('heading', { name: IDENTIFIER }).waitFor();
    if (tool !== undefined) {
      const address = hrefOf(PATHS.tool, { ...subjects, toolName: tool });
      // Other tests create connections with the same connector, and the playground selects the first one.
      await page.goto(withQuery(address, { connectionName: connector }));
      await page.getByRole('radio', { name: IDENTIFIER }).check();
      const example = page.getByRole('button', { name: 'Use example' });
      if ((await example.count()) > 0) await example.click();
      await page.getByRole('button', { name: `Run as ${IDENTIFIER}` }).click();
      await page
        .getByText(/^Finished in /)
        .first()
        .waitFor();
    }
    // Pages of the emulated upstreams have no icon.
    expect(problems.filter((problem) => !problem.endsWith('/favicon.ico)'))).toEqual([]);
  },
);
