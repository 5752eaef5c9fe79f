import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page, Route } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { partOf } from '../../server/test/support/runner/part-of.ts';
import { accountWith, withWatch } from './support/dialog-pages.ts';
import { DIALOGS, type OpenedDialog } from './support/dialogs.ts';
import { owner, visit } from './support/visit.ts';
import { waitForData } from './support/walk.ts';

const PAGES = path.join(import.meta.dirname, '../src/pages');

test('the list contains every dialog of the pages', () => {
  const written = globSync('**/*.tsx', { cwd: PAGES }).flatMap((file) =>
    [...readFileSync(path.join(PAGES, file), 'utf8').matchAll(/<(?:Dialog|DialogButton|Confirm)\b/g)].map(
      () => file,
    ),
  );
  expect(DIALOGS.map(({ file }) => file).sort()).toEqual(written.sort());
});

async function openPage(
  { address, prepare }: OpenedDialog,
  onChange?: (route: Route) => Promise<void>,
): Promise<Page> {
  const { page } = await visit(onTestFinished, { as: await owner() });
  // Intercepts the requests before the page loads, because Chromium lets requests pass right after a later start.
  if (onChange)
    await page.route('**/operator/v1/**', (route) =>
      route.request().method() === 'GET' ? route.fallback() : onChange(route),
    );
  await page.goto(await address());
  await waitForData(page);
  await prepare?.(page);
  return page;
}

test.for(partOf(DIALOGS, 4).map((each) => ({ ...each, titleText: String(each.title) })))(
  'Escape cancels the dialog and Enter presses its default button: $titleText',
  async (each) => {
    const { title, opener, isInDialog, once, closer, fill, enter } = each;
    const page = await openPage(each);
    const scope = isInDialog ? page.getByRole('dialog') : page;
    const button = scope.getByRole('button', { name: opener }).first();
    const dialog = page.getByRole('dialog', { name: title });
    await button.press('Enter');
    await dialog.waitFor();
    if (once && enter instanceof RegExp) {
      await page.keyboard.press('Enter');
      await dialog.getByText(enter).first().waitFor();
    }
    await page.keyboard.press('Escape');
    if (closer !== undefined) await dialog.getByRole('button', { name: closer }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    if (once) return;
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await button.press('Enter');
    await dialog.waitFor();
    await fill?.(page);
    await page.keyboard.press('Enter');
    if (enter !== 'cancelled') return page.getByText(enter).first().waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.reload();
    await button.waitFor();
  },
);

/** Dialogs whose form sends a request after Enter. */
const REQUESTING = DIALOGS.filter(
  ({ enter, once, file }) => enter !== 'cancelled' && !once && file !== 'application/delete-application.tsx',
);

test.for(partOf(REQUESTING, 3).map((each) => ({ ...each, titleText: String(each.title) })))(
  'a dialog stays open while its request is running, and then shows the result: $titleText',
  async (each) => {
    const { title, opener, fill, enter } = each;
    const { promise, resolve: release } = Promise.withResolvers<void>();
    let held: Promise<void> | undefined;
    const page = await openPage(each, async (route) => {
      await held;
      await route.fallback();
    });
    await page.getByRole('button', { name: opener }).first().press('Enter');
    const dialog = page.getByRole('dialog', { name: title });
    await dialog.waitFor();
    await fill?.(page);
    held = promise;
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Please wait…' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    release();
    if (enter !== 'cancelled') await page.getByText(enter).first().waitFor();
  },
);

test('a dialog with a link says when the link has expired, and closes with Escape', async () => {
  const { page } = await visit(onTestFinished, { as: await owner() });
  await page.clock.install();
  await page.goto(await accountWith('calendar')());
  await page.getByRole('button', { name: 'Create new link' }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByText('Waiting for consent.').waitFor();
  await page.clock.fastForward('31:00');
  await page.getByText('The link has expired.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('a watch whose upstream no longer has all changes cannot be continued', async () => {
  const { page } = await visit(onTestFinished, { as: await owner() });
  await page.route('**/watches?*', async (route) => {
    const response = await route.fetch();
    const { items } = (await response.json()) as { readonly items: readonly object[] };
    const failed = items.map((item) => ({ ...item, enabled: true, state: 'failed', reason: 'out_of_reach' }));
    await route.fulfill({ response, json: { items: failed } });
  });
  await page.goto(await withWatch());
  await page.getByText('The watch paused for so long').waitFor();
  await page.getByRole('button', { name: /^Delete: / }).waitFor();
  expect(await page.getByRole('button', { name: /^Continue: / }).count()).toBe(0);
});
