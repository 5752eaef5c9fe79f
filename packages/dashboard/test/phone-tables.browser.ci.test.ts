import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { hrefOf, PATHS } from '../src/paths.ts';
import { findBarriers } from './support/check-page.ts';
import { giveAccess, REDIRECT_URI } from './support/give-access.ts';
import { newAgents } from './support/open-agents.ts';
import { owner, stage, visit } from './support/visit.ts';
import { waitForData } from './support/walk.ts';

/** Pages whose tables have rows in the shared service. */
const PAGES = [
  PATHS.connections,
  PATHS.accounts,
  PATHS.account,
  PATHS.approvals,
  PATHS.agents,
  PATHS.executions,
  PATHS.webhooks,
  PATHS.webhookEndpoint,
  PATHS.delivery,
  PATHS.event,
  PATHS.applications,
  PATHS.application,
  PATHS.audit,
  PATHS.health,
  PATHS.operators,
];

/** Finds table cells outside the window, and tables and pages that scroll sideways. */
const findHidden = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const wide = [...document.querySelectorAll('.table')].filter(
      (each) => each.scrollWidth > each.clientWidth,
    );
    const outside = [...document.querySelectorAll('td')].filter((cell) => {
      const { left, right } = cell.getBoundingClientRect();
      return left < 0 || right > clientWidth;
    });
    const faults = [...wide, ...outside].map(({ outerHTML }) => outerHTML.slice(0, 300));
    return scrollWidth > clientWidth ? [...faults, `the page is ${scrollWidth} px wide`] : faults;
  });

const cellOf = (page: Page, label: string) => page.locator(`td[data-label="${label}"]`).first();

/** Returns the title that a cell shows above its value. */
const shownTitle = (page: Page, label: string): Promise<string> =>
  cellOf(page, label).evaluate((cell) => getComputedStyle(cell, '::before').content);

async function openAt(path: string, width: number): Promise<Page> {
  const { page } = await visit(onTestFinished, { as: await owner(), width });
  await page.goto(hrefOf(path, stage().subjects));
  await waitForData(page);
  return page;
}

test.each([
  ...PAGES.map((path) => [320, path] as const),
  [390, PATHS.accounts] as const,
  [390, PATHS.application] as const,
])('at %i pixels, %s shows every table cell without scrolling sideways', async (width, path) => {
  const page = await openAt(path, width);
  expect(await page.locator('td').count()).toBeGreaterThan(0);
  expect(await findHidden(page)).toEqual([]);
  expect(await findBarriers(page)).toEqual([]);
});

test('a long identifier does not push the other columns of a table out of a wide window', async () => {
  const as = await owner();
  const { applicationId } = stage().subjects;
  const identifier = `${crypto.randomUUID()}-${'W'.repeat(160)}@example.com`;
  await as.call('PUT', `/applications/${applicationId}/connections/network/accounts/${identifier}`, {});
  const { page } = await visit(onTestFinished, { as, width: 1280 });
  await page.goto(`${hrefOf(PATHS.accounts, { applicationId })}?identifier=${identifier.slice(0, 36)}`);
  await page.getByRole('link', { name: identifier }).waitFor();
  expect(await findHidden(page)).toEqual([]);
});

test('a long client name keeps the button of each access in view, and the events of the user', async () => {
  const as = await owner();
  const agents = await newAgents(as, stage().url);
  const { applicationId } = agents;
  const identifier = `${'w'.repeat(160)}@example.com`;
  const client = { name: 'W'.repeat(100), redirectUris: [REDIRECT_URI] };
  const path = `/applications/${applicationId}/agent-clients`;
  const { id: clientId } = await as.call<{ id: string }>('POST', path, client);
  await giveAccess(agents, { clientId, identifier });
  const { page } = await visit(onTestFinished, { as, width: 1024 });
  for (const list of [PATHS.agents, PATHS.user]) {
    await page.goto(hrefOf(list, { applicationId, identifier }));
    await page.getByText(client.name).first().waitFor();
    await waitForData(page);
    expect(await findHidden(page)).toEqual([]);
  }
});

test('narrow windows show a row as a card with titles, and wide windows show a table', async () => {
  const page = await openAt(PATHS.executions, 799);
  expect(await shownTitle(page, 'Outcome')).toContain('Outcome');
  // Screen readers still announce the column of a cell.
  expect(await page.getByRole('columnheader', { name: 'Outcome' }).count()).toBe(1);
  await page.setViewportSize({ width: 801, height: 800 });
  expect(await shownTitle(page, 'Outcome')).toBe('none');
});

const namesOf = (page: Page) => cellsOf(page, 'Connection').locator('a').allTextContents();
const cellsOf = (page: Page, label: string) => page.locator(`td[data-label="${label}"]`);

test('cards are sorted with a field, because the headers with the buttons are hidden', async () => {
  const page = await openAt(PATHS.connections, 390);
  const byName = (await namesOf(page)).toSorted((one, other) => one.localeCompare(other));
  expect(await page.locator('.sort:visible').count()).toBe(0);
  await page.getByLabel('Sort by').selectOption('Connection, descending');
  expect(await namesOf(page)).toEqual(byName.toReversed());
  await page.goto(hrefOf(PATHS.executions, stage().subjects));
  await page.getByLabel('Sort by').selectOption('Started, ascending');
  await page.getByLabel('Executions, oldest first').waitFor();
});

test('a list with several pages says that it sorts only the rows of one page', async () => {
  const { page } = await visit(onTestFinished, { as: await owner() });
  await page.route('**/connections?pageSize=200', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), nextPageToken: 'next' } });
  });
  await page.goto(hrefOf(PATHS.connections, stage().subjects));
  await page.getByText(/^Sorting applies only to the \d+ rows on this page\.$/).waitFor();
  await page.getByRole('button', { name: 'Connection', exact: true }).click();
  const names = await namesOf(page);
  expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other)));
});
