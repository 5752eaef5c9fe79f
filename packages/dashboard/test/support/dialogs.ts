import type { Page } from 'playwright-core';
import { PATHS, withQuery } from '../../src/paths.ts';
import { addPasskey } from './add-passkey.ts';
import {
  accountWith,
  invited,
  newAccount,
  newApplication,
  newEndpoint,
  pagePath,
  pendingApproval,
  readyApplication,
  uniqueName,
  withAgent,
  withToken,
  withWatch,
} from './dialog-pages.ts';
import { REDIRECT_URI } from './give-access.ts';

/** Dialog of a page, with the steps that open and use it. */
export interface OpenedDialog {
  /** The path of the source file below `src/pages`. */
  readonly file: string;
  readonly title: RegExp;
  /** Returns the URL of the page with the dialog. */
  readonly address: () => Promise<string>;
  /** Prepares the page before the dialog is opened. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** The name of the button that opens the dialog. */
  readonly opener: RegExp;
  /** True if the button that opens the dialog is in another dialog. */
  readonly isInDialog?: true;
  /** True if the button that opens the dialog disappears. */
  readonly once?: true;
  /** The button that closes a dialog which ignores Escape. */
  readonly closer?: string;
  /** Fills the required fields. */
  readonly fill?: (page: Page) => Promise<void>;
  /** The text that appears after Enter; `cancelled` for a destructive action, whose default button is Cancel. */
  readonly enter: RegExp | 'cancelled';
}

const field = (label: string | RegExp, value: () => string) => (page: Page) =>
  page.getByRole('dialog').getByLabel(label).fill(value());

async function fillClient(page: Page): Promise<void> {
  await field('Redirect URIs', () => REDIRECT_URI)(page);
  // Fills the name last, because Enter sends the form only from a single-line field.
  await field('Name', () => uniqueName('Made'))(page);
}

async function fillEndpoint(page: Page): Promise<void> {
  await field('Description', () => uniqueName('Made'))(page);
  await page.getByLabel('Webhook endpoint disabled').check();
  await field('URL', () => 'https://app.example.com/made')(page);
}

const KEYED = accountWith('network', { apiKey: 'sandbox-key' });

/** All dialogs of the pages. */
export const DIALOGS: readonly OpenedDialog[] = [
  {
    file: 'operators/actions.tsx',
    title: /^Add operator$/,
    address: async () => pagePath(PATHS.operators),
    opener: /^Add operator$/,
    fill: field('Name', () => uniqueName('ada')),
    enter: /^Sign-in link for ada-/,
  },
  {
    file: 'operators/actions.tsx',
    title: /^Role of grace$/,
    address: invited,
    opener: /^Change the role of grace$/,
    enter: /^grace now has the role /,
  },
  {
    file: 'operators/actions.tsx',
    title: /^New sign-in link for grace$/,
    address: invited,
    opener: /^Create sign-in link for grace$/,
    enter: /^Sign-in link for grace$/,
  },
  {
    file: 'operators/actions.tsx',
    title: /^Sign-in link for grace$/,
    address: invited,
    prepare: (page) => page.getByRole('button', { name: 'Create sign-in link for grace' }).click(),
    opener: /^Create link$/,
    once: true,
    enter: /^Copied/,
  },
  {
    file: 'operators/actions.tsx',
    title: /^Delete grace\?$/,
    address: invited,
    opener: /^Delete: grace$/,
    enter: 'cancelled',
  },
  {
    file: 'profile/passkeys.tsx',
    title: /^Remove the passkey phone\?$/,
    address: async () => pagePath(PATHS.profile),
    prepare: addPasskey,
    opener: /^Remove: phone$/,
    enter: 'cancelled',
  },
  {
    file: 'application/applications.tsx',
    title: /^Create application$/,
    address: async () => pagePath(PATHS.applications),
    opener: /^Create application$/,
    fill: field('Name', () => uniqueName('Made')),
    enter: /^New client secret$/,
  },
  {
    file: 'application/secret-dialog.tsx',
    title: /^New client secret$/,
    address: newApplication,
    opener: /^Add client secret$/,
    once: true,
    closer: 'Close after copying',
    enter: /^Copied/,
  },
  {
    file: 'application/credentials.tsx',
    title: /^Revoke this client secret\?$/,
    address: newApplication,
    opener: /^Revoke: secret_/,
    enter: 'cancelled',
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
    opener: /^Delete application$/,
    enter: /^Type App-.+ to confirm\.$/,
  },
  {
    file: 'application/tokens.tsx',
    title: /^Revoke this token\?$/,
    address: withToken,
    opener: /^Revoke: tok_/,
    enter: 'cancelled',
  },
  {
    file: 'agents/sign-in-settings.tsx',
    title: /^Remove sign-in for MCP clients\?$/,
    address: withAgent,
    opener: /^Remove sign-in$/,
    enter: 'cancelled',
  },
  {
    file: 'agents/add-client.tsx',
    title: /^Add client$/,
    address: async () => pagePath(PATHS.agents),
    opener: /^Add client$/,
    fill: fillClient,
    enter: /^Client ID of Made-/,
  },
  {
    file: 'agents/add-client.tsx',
    title: /^Client ID of Made-/,
    address: async () => pagePath(PATHS.agents),
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Add client' }).click();
      await fillClient(page);
    },
    opener: /^Add client$/,
    isInDialog: true,
    once: true,
    enter: /^Copied/,
  },
  {
    file: 'agents/clients.tsx',
    title: /^Delete “Desk helper”\?$/,
    address: withAgent,
    opener: /^Delete: Desk helper$/,
    enter: 'cancelled',
  },
  {
    file: 'agents/grants.tsx',
    title: /^Revoke access for “Desk helper”\?$/,
    address: withAgent,
    opener: /^Revoke: Desk helper for ada$/,
    enter: 'cancelled',
  },
  {
    file: 'approvals/approval.tsx',
    title: /^Deny\?$/,
    address: pendingApproval,
    opener: /^Deny…$/,
    fill: field(/^Reason/, () => 'Not today.'),
    enter: /The call does not run, and the caller gets an error with the reason\./,
  },
  {
    file: 'connections/connection.tsx',
    title: /^Delete “network”\?$/,
    address: async () => pagePath(PATHS.connection),
    opener: /^Delete connection$/,
    enter: 'cancelled',
  },
  {
    file: 'accounts/connect-account.tsx',
    title: /^Connect account$/,
    address: async () => pagePath(PATHS.connection, { connectionName: 'calendar' }),
    opener: /^Connect account$/,
    fill: field('User identifier', () => uniqueName('user')),
    enter: /^Open link$/,
  },
  {
    file: 'accounts/renew-access.tsx',
    title: /^New authorization link for “user-/,
    address: accountWith('calendar'),
    opener: /^Create new link$/,
    enter: /^Open link$/,
  },
  {
    file: 'accounts/renew-access.tsx',
    title: /^API key of “user-/,
    address: KEYED,
    opener: /^Replace API key$/,
    fill: field(/API key/, () => 'sandbox-another'),
    enter: /^Credentials saved\.$/,
  },
  {
    file: 'accounts/new-links.tsx',
    title: /^New links for 1 account$/,
    address: async () => {
      await newAccount('calendar');
      return withQuery(pagePath(PATHS.accounts), { identifier: 'user-' });
    },
    prepare: (page) =>
      page
        .getByLabel(/^Select user-.* on calendar$/)
        .first()
        .check(),
    opener: /^Create links \(1\)$/,
    enter: /^Download CSV$/,
  },
  {
    file: 'accounts/end-account.tsx',
    title: /^Revoke access to the account “user-/,
    address: KEYED,
    opener: /^Revoke access$/,
    enter: 'cancelled',
  },
  {
    file: 'accounts/end-account.tsx',
    title: /^Delete account “user-/,
    address: KEYED,
    opener: /^Delete account$/,
    enter: 'cancelled',
  },
  {
    file: 'accounts/upstream-changes.tsx',
    title: /^Continue this watch\?$/,
    address: withWatch,
    opener: /^Continue: /,
    enter: /^Watch of .+ continues\.$/,
  },
  {
    file: 'accounts/upstream-changes.tsx',
    title: /^Delete watch of /,
    address: withWatch,
    opener: /^Delete: /,
    enter: 'cancelled',
  },
  {
    file: 'tools/run.tsx',
    title: /^Run a destructive tool\?$/,
    address: async () =>
      withQuery(pagePath(PATHS.tool, { toolName: 'convintel_webhook_delete' }), {
        accountId: await newAccount('convintel', { bearerToken: 'sandbox-token' }),
      }),
    prepare: (page) => page.getByRole('button', { name: 'Use example' }).click(),
    opener: /^Run as user-/,
    enter: 'cancelled',
  },
  {
    file: 'webhooks/add-endpoint.tsx',
    title: /^Add endpoint$/,
    address: async () => pagePath(PATHS.webhooks),
    opener: /^Add endpoint$/,
    fill: fillEndpoint,
    enter: /^New signing secret$/,
  },
  {
    file: 'webhooks/endpoint.tsx',
    title: /^Disable this endpoint\?$/,
    address: newEndpoint,
    opener: /^Disable endpoint$/,
    enter: 'cancelled',
  },
  {
    file: 'webhooks/endpoint.tsx',
    title: /^Delete this endpoint\?$/,
    address: newEndpoint,
    opener: /^Delete endpoint$/,
    enter: 'cancelled',
  },
  {
    file: 'webhooks/signing-secret.tsx',
    title: /^Rotate the signing secret\?$/,
    address: newEndpoint,
    opener: /^Rotate secret$/,
    enter: /^New signing secret$/,
  },
  {
    file: 'webhooks/signing-secret.tsx',
    title: /^New signing secret$/,
    address: newEndpoint,
    prepare: (page) => page.getByRole('button', { name: 'Rotate secret' }).click(),
    opener: /^Rotate secret$/,
    isInDialog: true,
    once: true,
    closer: 'Close after copying',
    enter: /^Copied/,
  },
];
