import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { hrefOf, PATHS } from '../src/paths.ts';
import { findBarriers } from './support/check-page.ts';
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

test.each(PAGES)('at 320 pixels, %s shows every table cell without scrolling sideways', async (path) => {
  const page = await openAt(path, 320);
  expect(await page.locator('td').count()).toBeGreaterThan(0);
  expect(await findHidden(page)).toEqual([]);
  expect(await findBarriers(page)).toEqual([]);
});

test('narrow windows show a row as a card with titles, and wide windows show a table', async () => {
  const page = await openAt(PATHS.executions, 799);
  expect(await shownTitle(page, 'Outcome')).toContain('Outcome');
  // Screen readers still announce the column of a cell.
  expect(await page.getByRole('columnheader', { name: 'Outcome' }).count()).toBe(1);
  await page.setViewportSize({ width: 801, height: 800 });
  expect(await shownTitle(page, 'Outcome')).toBe('none');
});
