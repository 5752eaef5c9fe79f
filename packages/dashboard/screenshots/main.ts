import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { bringChromium } from '../../../scripts/bring-chromium.ts';
import { PATHS } from '../src/paths.ts';
import { addressesOf, type Subjects } from '../test/support/addresses.ts';
import { findChromium, launchOptions } from '../test/support/chromium.ts';
import { type Operator, signIn } from '../test/support/operator.ts';
import { receiveWebhooks } from '../test/support/receive-webhooks.ts';
import { startService } from '../test/support/start-service.ts';
import { storageStateOf } from '../test/support/storage-state.ts';
import { waitForData } from '../test/support/walk.ts';
import { addHistory } from './add-history.ts';
import { fill } from './fill.ts';

const PASSWORD = 'orchid-battery-7';
const FOLDER = path.join(import.meta.dirname, '../../../screenshots');
const DESKTOP = { width: 1280, height: 800 };
const LOOKS = [
  { look: 'light', colorScheme: 'light', viewport: DESKTOP },
  { look: 'dark', colorScheme: 'dark', viewport: DESKTOP },
  { look: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 }, isMobile: true },
] as const;

/** Screenshots in the README of the repository, by page and look. `npm run screenshots -- --readme` writes them. */
const README_PICTURES: Readonly<Record<string, string>> = {
  'overview.light': 'overview.png',
  'applications-applicationId-tools-toolName.dark': 'playground.png',
  'applications-applicationId-executions.light': 'executions.png',
  'applications-applicationId-connections-connectionName.light': 'connection.png',
};
const README_FOLDER = path.join(import.meta.dirname, '../images');
const README_CLIP = { x: 0, y: 0, width: 1280, height: 720 };
const isForReadme = process.argv.includes('--readme');

/** Derives the file name from a URL: `/dashboard/audit` becomes `audit`. Path parameters become their names. */
const nameOf = (address: string, subjects: Subjects): string =>
  address
    .split('/')
    .slice(2)
    .map((part) => Object.keys(subjects).find((name) => subjects[name] === decodeURIComponent(part)) ?? part)
    .join('-') || 'overview';

async function shoot(page: Page, address: string, file: string, fullPage = true): Promise<void> {
  await page.goto(address);
  await waitForData(page);
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: file, fullPage, animations: 'disabled' });
}

/** Creates a link for a user. The page of the link stays open, because nobody continues from it. */
async function makeLink({ call }: Operator, { applicationId, connectionName }: Subjects): Promise<string> {
  const account = `/applications/${applicationId}/connections/${connectionName}/accounts/lin@acme.example`;
  return (await call<{ link: string }>('POST', `${account}/authorization-link`, {})).link;
}

async function shootAll(
  browser: Browser,
  url: string,
  operator: Operator,
  subjects: Subjects,
): Promise<void> {
  const link = await makeLink(operator, subjects);
  for (const { look, ...display } of LOOKS) {
    const context = await browser.newContext({
      ...display,
      baseURL: url,
      locale: 'en-GB',
      reducedMotion: 'reduce',
      storageState: storageStateOf(operator, url),
    });
    const page = await context.newPage();
    for (const address of addressesOf(subjects)) {
      const name = `${nameOf(address, subjects)}.${look}`;
      await shoot(page, address, path.join(FOLDER, `${name}.png`));
      const picture = isForReadme ? README_PICTURES[name] : undefined;
      if (picture !== undefined)
        await page.screenshot({ path: path.join(README_FOLDER, picture), clip: README_CLIP });
    }
    await context.clearCookies();
    await page.evaluate(() => localStorage.clear());
    await shoot(page, '/dashboard', path.join(FOLDER, `sign-in.${look}.png`));
    // The buttons stay at the end of the window, so a picture of the whole page would show them in its middle.
    await shoot(page, link, path.join(FOLDER, `connect.${look}.png`), false);
    await context.close();
  }
}

async function main(executablePath: string): Promise<void> {
  const receiver = await receiveWebhooks();
  const service = await startService({
    SVC_FIRST_OPERATOR_PASSWORD: PASSWORD,
    SVC_ALLOWED_ORIGINS: `webhooks=${receiver.origin}`,
  });
  const browser = await chromium.launch(launchOptions(executablePath));
  try {
    const operator = await signIn({ url: service.url, password: PASSWORD });
    const { accounts, ...ids } = await fill(operator, {
      environmentUrl: service.url,
      receiver: receiver.origin,
    });
    const { applicationId } = ids;
    addHistory(service.database, { applicationId, accounts, now: Date.now() });
    rmSync(FOLDER, { recursive: true, force: true });
    mkdirSync(FOLDER);
    const account = accounts.find(({ connectionName }) => connectionName === 'calendar');
    await shootAll(browser, service.url, operator, {
      ...ids,
      connectionName: 'calendar',
      accountId: account?.id ?? '',
      identifier: account?.identifier ?? '',
      toolName: 'calendar_create_event',
    });
  } finally {
    await browser.close();
    await service.stop();
    await receiver.stop();
  }
  process.stdout.write(
    `Wrote ${LOOKS.length} screenshots for each of ${Object.keys(PATHS).length + 2} pages to ${FOLDER}.\n`,
  );
}

bringChromium();
const executablePath = findChromium();
if (executablePath === undefined) process.exitCode = 1;
else await main(executablePath);
