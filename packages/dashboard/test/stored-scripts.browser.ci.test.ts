import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { addressesOf, type Subjects } from './support/addresses.ts';
import { findSubjects } from './support/find-subjects.ts';
import { signIn } from './support/operator.ts';
import { PAYLOADS } from './support/payloads.ts';
import { startService } from './support/start-service.ts';
import { visit } from './support/visit.ts';
import { forEachPage, waitForData } from './support/walk.ts';
import { writeHostileRows } from './support/write-hostile-rows.ts';

const PASSWORD = 'orchid-battery-7';

/** Starts a service whose database contains XSS payloads, and a browser that ignores the content security policy. */
async function startHostile(finish: (end: () => Promise<void>) => void) {
  const service = await startService({ SVC_FIRST_OPERATOR_PASSWORD: PASSWORD });
  finish(service.stop);
  const operator = await signIn({ url: service.url, password: PASSWORD });
  const unknownColumns = writeHostileRows(service.database);
  const { page } = await visit(finish, { as: operator, url: service.url, hasPolicy: false });
  return { unknownColumns, page, subjects: await findSubjects(operator) };
}

/** Records every script, dialog and request that a payload causes. */
async function recordEffects(page: Page): Promise<() => readonly string[]> {
  const seen: string[] = [];
  await page.exposeFunction('ran', () => seen.push(`a script ran on ${page.url()}`));
  page.on('dialog', (dialog) => {
    // Some of the pressed buttons change a form, so the browser asks before it leaves the page.
    if (dialog.type() === 'beforeunload') return void dialog.accept();
    seen.push(`a dialog on ${page.url()}`);
    void dialog.dismiss();
  });
  // Status 204 keeps the browser on the page, even if a payload navigates away.
  await page.route(
    ({ hostname }) => hostname.endsWith('.example'),
    (route) => {
      seen.push(`${route.request().url()} was requested`);
      return route.fulfill({ status: 204 });
    },
  );
  return () => seen;
}

const HOSTILE = PAYLOADS.join(' ');
const WATCH = {
  id: 'watch_hostile',
  toolName: HOSTILE,
  toolInput: { [HOSTILE]: HOSTILE },
  enabled: true,
  state: 'failed',
  reason: HOSTILE,
};

/** Responds with a hostile watch, because the service cannot decrypt the inputs of rows that the test has written. */
const replaceWatches = (page: Page): Promise<unknown> =>
  page.route(/\/watches\?/, (route) => route.fulfill({ json: { items: [WATCH] } }));

/** The URLs of all pages that show hostile rows. */
function pagesOf([ofNothing = {}, ...subjects]: readonly Subjects[]): ReadonlySet<string> {
  // The application with all rows is listed before or after the hostile applications.
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

interface PageContent {
  /** The errors of the page itself. */
  readonly errors: readonly string[];
  /** Links that would run a script. */
  readonly links: readonly string[];
  /** The visible text, including the values of fields. */
  readonly text: string;
}

/** Presses every button that sends no form, to open all dialogs, and returns what the page shows. */
const openAll = (page: Page): Promise<PageContent> =>
  page.evaluate(async () => {
    // Errors of the page offer a retry, unlike the failed calls that the page is about.
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

/** The payloads that no page showed. */
function missingIn(contents: readonly PageContent[]): readonly string[] {
  const text = contents.map((each) => each.text).join('\n');
  return PAYLOADS.filter((payload) => !text.includes(payload));
}

test('D2 runs no script from any text of any table', { timeout: 180_000 }, async ({ onTestFinished }) => {
  const { unknownColumns, page, subjects } = await startHostile(onTestFinished);
  expect(unknownColumns).toEqual([]);
  const seen = await recordEffects(page);
  await replaceWatches(page);
  const contents: (PageContent & { readonly address: string })[] = [];
  for (const address of pagesOf(subjects)) {
    await page.goto(address);
    await waitForData(page);
    await forEachPage(page, async () => {
      contents.push({ address, ...(await openAll(page)) });
    });
  }
  expect(contents.flatMap(({ errors }) => errors)).toEqual([]);
  expect(missingIn(contents)).toEqual([]);
  expect(missingIn(contents.filter(({ address }) => address.endsWith('/agents')))).toEqual([]);
  expect({ ran: seen(), links: contents.flatMap(({ links }) => links) }).toEqual({ ran: [], links: [] });
});
