import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { partOf } from '../../server/test/support/part-of.ts';
import { PATHS, withQuery } from '../src/paths.ts';
import { addPasskey } from './support/add-passkey.ts';
import {
  accountWith,
  invited,
  named,
  newAccount,
  newApplication,
  place,
  readyApplication,
  waiting,
  withAgent,
  withToken,
} from './support/dialog-places.ts';
import { REDIRECT_URI } from './support/give-access.ts';
import { owner, visit } from './support/visit.ts';
import { settled } from './support/walk.ts';

const PAGES = path.join(import.meta.dirname, '../src/pages');

interface OpenedDialog {
  /** Where it stands, below `src/pages`. */
  readonly file: string;
  /** What it is called. */
  readonly title: RegExp;
  /** Of the page that has it. */
  readonly address: () => Promise<string>;
  /** What is done on the page before it can be opened. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** What the button says that opens it. */
  readonly opener: RegExp;
  /** What opens it is gone afterwards. */
  readonly once?: true;
  /** The button that alone closes it, where it shows what is seen this once. */
  readonly closer?: string;
  /** Types what a form does not go without. */
  readonly fill?: (page: Page) => Promise<void>;
  /** What is seen after Enter; `taken back` for what destroys something: it must be asked for. */
  readonly enter: RegExp | 'taken back';
}

const field = (label: string | RegExp, value: () => string) => (page: Page) =>
  page.getByRole('dialog').getByLabel(label).fill(value());

async function fillClient(page: Page): Promise<void> {
  await field('Redirect addresses', () => REDIRECT_URI)(page);
  // Enter sends the form from here; in a text of several lines it begins another.
  await field('Name', () => named('Made'))(page);
}

const KEYED = accountWith('network', { apiKey: 'sandbox-key' });

const DIALOGS: readonly OpenedDialog[] = [
  {
    file: 'operators/actions.tsx',
    title: /^Add an operator$/,
    address: async () => place(PATHS.operators),
    opener: /^Add an operator$/,
    fill: field('Name', () => named('ada')),
    enter: /^The sign-in link of ada-/,
  },
  {
    file: 'operators/actions.tsx',
    title: /^The role of grace$/,
    address: invited,
    opener: /^Change the role of grace$/,
    enter: /^grace has the role /,
  },
  {
    file: 'operators/actions.tsx',
    title: /^A new sign-in link for grace$/,
    address: invited,
    opener: /^Make a sign-in link for grace$/,
    enter: /^The sign-in link of grace$/,
  },
  {
    file: 'operators/actions.tsx',
    title: /^The sign-in link of grace$/,
    address: invited,
    prepare: (page) => page.getByRole('button', { name: 'Make a sign-in link for grace' }).click(),
    opener: /^Make the link$/,
    once: true,
    enter: /^Copied/,
  },
  {
    file: 'operators/actions.tsx',
    title: /^Delete grace\?$/,
    address: invited,
    opener: /^Delete: grace$/,
    enter: 'taken back',
  },
  {
    file: 'profile/passkeys.tsx',
    title: /^Remove the passkey phone\?$/,
    address: async () => place(PATHS.profile),
    prepare: addPasskey,
    opener: /^Remove: phone$/,
    enter: 'taken back',
  },
  {
    file: 'application/applications.tsx',
    title: /^Make an application$/,
    address: async () => place(PATHS.applications),
    opener: /^Make an application$/,
    fill: field('Name', () => named('Made')),
    enter: /^The new client secret$/,
  },
  {
    file: 'application/secret-dialog.tsx',
    title: /^The new client secret$/,
    address: newApplication,
    opener: /^Add a secret$/,
    once: true,
    closer: 'I have copied it',
    enter: /^Copied/,
  },
  {
    file: 'application/credentials.tsx',
    title: /^Revoke this client secret\?$/,
    address: newApplication,
    opener: /^Revoke: secret_/,
    enter: 'taken back',
  },
  {
    file: 'application/production.tsx',
    title: /^Switch to production\?$/,
    address: readyApplication,
    opener: /^Switch to production$/,
    enter: /^In production$/,
  },
  {
    file: 'application/delete-application.tsx',
    title: /^Delete App-/,
    address: newApplication,
    opener: /^Delete the application$/,
    enter: /^Type App-.+ to confirm\.$/,
  },
  {
    file: 'application/tokens.tsx',
    title: /^Revoke this token\?$/,
    address: withToken,
    opener: /^Revoke: tok_/,
    enter: 'taken back',
  },
  {
    file: 'agents/sign-in-place.tsx',
    title: /^Let nobody sign in for MCP clients any more\?$/,
    address: withAgent,
    opener: /^Remove$/,
    enter: 'taken back',
  },
  {
    file: 'agents/add-client.tsx',
    title: /^Add a client$/,
    address: async () => place(PATHS.agents),
    opener: /^Add a client$/,
    fill: fillClient,
    enter: /^The client ID of Made-/,
  },
  {
    file: 'agents/add-client.tsx',
    title: /^The client ID of Made-/,
    address: async () => place(PATHS.agents),
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Add a client' }).click();
      await fillClient(page);
    },
    opener: /^Add it$/,
    once: true,
    enter: /^Copied/,
  },
  {
    file: 'agents/clients.tsx',
    title: /^Delete “Desk helper”\?$/,
    address: withAgent,
    opener: /^Delete: Desk helper$/,
    enter: 'taken back',
  },
  {
    file: 'agents/grants.tsx',
    title: /^Revoke the access of “Desk helper”\?$/,
    address: withAgent,
    opener: /^Revoke: Desk helper of ada$/,
    enter: 'taken back',
  },
  {
    file: 'approvals/approval.tsx',
    title: /^Refuse\?$/,
    address: waiting,
    opener: /^Refuse…$/,
    fill: field(/^Reason/, () => 'Not today.'),
    enter: /It does not happen, and whoever asked is told so\./,
  },
  {
    file: 'connections/connection.tsx',
    title: /^Delete “network”\?$/,
    address: async () => place(PATHS.connection),
    opener: /^Delete connection$/,
    enter: 'taken back',
  },
  {
    file: 'accounts/connect-account.tsx',
    title: /^Connect an account$/,
    address: async () => place(PATHS.connection, { connectionName: 'calendar' }),
    opener: /^Connect an account$/,
    fill: field('Identifier', () => named('user')),
    enter: /^Open the link$/,
  },
  {
    file: 'accounts/renew-access.tsx',
    title: /^A link for “user-/,
    address: accountWith('calendar'),
    opener: /^New link$/,
    enter: /^Open the link$/,
  },
  {
    file: 'accounts/renew-access.tsx',
    title: /^The API key of “user-/,
    address: KEYED,
    opener: /^Replace the API key$/,
    fill: field(/API key/, () => 'sandbox-another'),
    enter: /^The account has it now\.$/,
  },
  {
    file: 'accounts/end-account.tsx',
    title: /^Revoke the access of “user-/,
    address: KEYED,
    opener: /^Revoke access$/,
    enter: 'taken back',
  },
  {
    file: 'accounts/end-account.tsx',
    title: /^Delete the account of “user-/,
    address: KEYED,
    opener: /^Delete account$/,
    enter: 'taken back',
  },
  {
    file: 'tools/run.tsx',
    title: /^Run a destructive tool\?$/,
    address: async () =>
      withQuery(place(PATHS.tool, { toolName: 'convintel_webhook_delete' }), {
        accountId: await newAccount('convintel', { bearerToken: 'sandbox-token' }),
      }),
    prepare: (page) => page.getByRole('button', { name: 'Fill in' }).click(),
    opener: /^Run as user-/,
    enter: 'taken back',
  },
];

test('every dialog of the pages is opened below', () => {
  const written = globSync('**/*.tsx', { cwd: PAGES }).flatMap((file) =>
    [...readFileSync(path.join(PAGES, file), 'utf8').matchAll(/<(?:Dialog|DialogButton|Confirm)\b/g)].map(
      () => file,
    ),
  );
  expect(DIALOGS.map(({ file }) => file).sort()).toEqual(written.sort());
});

async function openPage({ address, prepare }: OpenedDialog): Promise<Page> {
  const { page } = await visit(onTestFinished, { as: await owner() });
  await page.goto(await address());
  await settled(page);
  await prepare?.(page);
  return page;
}

test.for(partOf(DIALOGS, 4).map((each) => ({ ...each, says: String(each.title) })))(
  'Escape takes back, and Enter answers: $says',
  async (each) => {
    const { title, opener, once, closer, fill, enter } = each;
    const page = await openPage(each);
    const button = page.getByRole('button', { name: opener }).first();
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
    if (enter !== 'taken back') return page.getByText(enter).first().waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.reload();
    await button.waitFor();
  },
);
