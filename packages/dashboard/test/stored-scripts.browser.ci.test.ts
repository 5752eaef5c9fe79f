import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { addressesOf, type Subjects } from './support/addresses.ts';
import { findSubjects } from './support/find-subjects.ts';
import { signIn } from './support/operator.ts';
import { PAYLOADS } from './support/payloads.ts';
import { startService } from './support/start-service.ts';
import { visit } from './support/visit.ts';
import { readOn, settled } from './support/walk.ts';
import { writeHostileRows } from './support/write-hostile-rows.ts';

const PASSWORD = 'orchid-battery-7';

/** A service whose every text is hostile, and a browser that would run them: it has no policy. */
async function startHostile(finish: (end: () => Promise<void>) => void) {
  const service = await startService({ SVC_FIRST_OPERATOR_PASSWORD: PASSWORD });
  finish(service.stop);
  const operator = await signIn({ url: service.url, password: PASSWORD });
  const forgotten = writeHostileRows(service.database);
  const { page } = await visit(finish, { as: operator, url: service.url, hasPolicy: false });
  return { forgotten, page, subjects: await findSubjects(operator) };
}

/** Counts whatever would show that a text had become more than a text. */
async function countRuns(page: Page): Promise<() => readonly string[]> {
  const seen: string[] = [];
  await page.exposeFunction('ran', () => seen.push(`a script ran on ${page.url()}`));
  page.on('dialog', (dialog) => {
    seen.push(`a dialog on ${page.url()}`);
    void dialog.dismiss();
  });
  // An answer without content leaves the page where it is, even when it was to be left.
  await page.route(
    ({ hostname }) => hostname.endsWith('.example'),
    (route) => {
      seen.push(`${route.request().url()} was asked`);
      return route.fulfill({ status: 204 });
    },
  );
  return () => seen;
}

/** The pages of the application that has all rows, those of its hostile rows, and the own ones of hostile applications. */
function pagesOf([ofNothing = {}, ...subjects]: readonly Subjects[]): ReadonlySet<string> {
  // Hostile applications are listed before it, or after it.
  const first = subjects.find(({ applicationId = '' }) => !applicationId.includes('hostile')) ?? {};
  const hostile = subjects.filter((each) => /hostile|exec_/.test(JSON.stringify(each)));
  const addresses = hostile.flatMap((each) => {
    const own = addressesOf(each);
    return each['applicationId'] === first['applicationId']
      ? own
      : own.filter((address) => address.endsWith(`/${each['applicationId']}`));
  });
  return new Set([...addressesOf(ofNothing), ...addressesOf(first), ...addresses]);
}

interface Shown {
  /** What the page could not show. */
  readonly errors: readonly string[];
  /** Links that would run a script. */
  readonly links: readonly string[];
  /** What can be read, in fields too. */
  readonly text: string;
}

/** Presses every button that sends no form, so that what stands behind them is there, and says what the page shows. */
const openAll = (page: Page): Promise<Shown> =>
  page.evaluate(async () => {
    // What could not be loaded offers to try again; that a call of a user failed is what its page is about.
    const errors = [...document.querySelectorAll('main [role="alert"]:has(button)')].map(
      ({ textContent }) => `${location.pathname}: ${textContent}`,
    );
    for (const details of document.querySelectorAll('details')) details.open = true;
    let text = '';
    const read = () => {
      const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea')];
      text += [document.body.textContent, ...fields.map(({ value }) => value)].join('\n');
    };
    read();
    for (const button of document.querySelectorAll<HTMLElement>('main button[type=button]:enabled')) {
      button.click();
      await new Promise(requestAnimationFrame);
      const dialogs = [...document.querySelectorAll('dialog')].filter(({ open }) => open);
      if (dialogs.length > 0) read();
      for (const dialog of dialogs) dialog.close();
    }
    const links = [...document.links].filter(({ protocol }) => !/^https?:$/.test(protocol));
    return { errors, text, links: links.map(({ outerHTML }) => outerHTML) };
  });

/** The payloads that none of these showed. */
function missingIn(shown: readonly Shown[]): readonly string[] {
  const text = shown.map((each) => each.text).join('\n');
  return PAYLOADS.filter((payload) => !text.includes(payload));
}

test('D2 runs no script that stands in any text of any table', { timeout: 180_000 }, async ({
  onTestFinished,
}) => {
  const { forgotten, page, subjects } = await startHostile(onTestFinished);
  expect(forgotten).toEqual([]);
  const seen = await countRuns(page);
  const shown: (Shown & { readonly address: string })[] = [];
  for (const address of pagesOf(subjects)) {
    await page.goto(address);
    await settled(page);
    await readOn(page, async () => {
      shown.push({ address, ...(await openAll(page)) });
    });
  }
  expect(shown.flatMap(({ errors }) => errors)).toEqual([]);
  expect(missingIn(shown)).toEqual([]);
  expect(missingIn(shown.filter(({ address }) => address.endsWith('/agents')))).toEqual([]);
  expect({ ran: seen(), links: shown.flatMap(({ links }) => links) }).toEqual({ ran: [], links: [] });
});
