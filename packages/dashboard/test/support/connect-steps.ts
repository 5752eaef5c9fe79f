import { createClient } from '@svc/core';
import type { Page } from 'playwright-core';
import type { ConnectService } from './connect-service.ts';

/** Browser window of a user, and the service that serves its pages. */
export interface Visitor {
  readonly page: Page;
  readonly service: ConnectService;
  /** Opens a page in a browser that has none of the user's cookies. */
  readonly openOther: () => Promise<Page>;
}

export interface LinkOptions {
  readonly connector?: string;
  /** Settings of the application. */
  readonly settings?: object;
}

/** Authorization link of an application that has nothing else. */
export interface Link {
  readonly link: string;
  readonly applicationId: string;
  readonly clientSecret: string;
  /** Path of the connection in the operator API. */
  readonly connection: string;
  /** Path of the connected account in the operator API. */
  readonly account: string;
}

/** Link whose consent began, and the redirect URI and state that the upstream got. */
export interface Begun extends Link {
  readonly callback: URL;
}

const NAME = 'Acme Notes';
export const IDENTIFIER = 'ada@example.com';

export async function makeAgain({ service }: Visitor, made: Link): Promise<Link> {
  return { ...made, ...(await service.call<{ link: string }>('POST', `${made.account}/authorization-link`)) };
}

export async function makeLink(visitor: Visitor, options: LinkOptions = {}): Promise<Link> {
  const { connector = 'calendar', settings = {} } = options;
  const { call } = visitor.service;
  const name = `${NAME} ${crypto.randomUUID().slice(0, 8)}`;
  const created = { name, ...settings };
  const { id, clientSecret } = await call<{ id: string; clientSecret: string }>(
    'POST',
    '/applications',
    created,
  );
  const below = `/applications/${id}`;
  await call('POST', `${below}/sandbox-connections`, { connectionName: connector, connector });
  const connection = `${below}/connections/${connector}`;
  const account = `${connection}/accounts/${IDENTIFIER}`;
  return makeAgain(visitor, { link: '', applicationId: id, clientSecret, connection, account });
}

export async function openLink(visitor: Visitor, options?: LinkOptions): Promise<Link> {
  const made = await makeLink(visitor, options);
  await visitor.page.goto(made.link);
  return made;
}

/** Presses the first button of the connect page, and waits for the upstream's page. */
export async function proceed(page: Page): Promise<URL> {
  const asked = page.waitForRequest((request) => request.url().includes('redirect_uri='));
  await page.locator('button').first().click();
  const { searchParams } = new URL((await asked).url());
  await page.getByRole('button', { name: 'Allow' }).waitFor();
  const callback = new URL(searchParams.get('redirect_uri') ?? '');
  callback.searchParams.set('state', searchParams.get('state') ?? '');
  return callback;
}

export async function begin(visitor: Visitor, options?: LinkOptions): Promise<Begun> {
  const made = await openLink(visitor, options);
  return { ...made, callback: await proceed(visitor.page) };
}

export async function answer(page: Page, decision: 'Allow' | 'Deny', person = 'ada'): Promise<void> {
  await page.locator(`input[value=${person}]`).check();
  const returned = page.waitForRequest((request) => request.url().includes('/callback?'));
  await page.getByRole('button', { name: decision }).click();
  await returned;
  await page.waitForURL((url) => !url.pathname.includes('/_consent/') && !url.pathname.includes('/auth'));
}

export async function connect(visitor: Visitor, options?: LinkOptions): Promise<Begun> {
  const begun = await begin(visitor, options);
  await answer(visitor.page, 'Allow');
  return begun;
}

/** Opens the callback of the user's consent with parameters that the upstream would add. */
export async function returnWith(
  { page }: Pick<Visitor, 'page'>,
  { callback }: Begun,
  parameters: Readonly<Record<string, string>>,
): Promise<void> {
  const url = new URL(callback);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  await page.goto(url.href);
}

/** Gives consent to an application that has to verify its user. Returns the id of the verification. */
export async function connectUnverified(
  visitor: Visitor,
): Promise<Begun & { readonly authRequestId: string }> {
  const begun = await begin(visitor, { settings: { verifyUrl: `${visitor.service.url}/verify` } });
  await answer(visitor.page, 'Allow');
  const { searchParams } = new URL(visitor.page.url());
  return { ...begun, authRequestId: searchParams.get('auth_request_id') ?? '' };
}

/** Verifies a user as the application does after the consent. */
export async function verify(
  { service }: Visitor,
  { applicationId, clientSecret }: Link,
  body: { readonly authRequestId: string; readonly identifier: string },
): Promise<unknown> {
  const client = createClient({ environmentUrl: service.url, clientId: applicationId, clientSecret });
  return client.call({ method: 'POST', path: '/v1/accounts/verify', body }).catch(() => undefined);
}

/** Enters a key in the form of the connect page. */
export async function enterKey(page: Page, key: string): Promise<void> {
  await page.locator('input[name=key]').fill(key);
  const sent = page.waitForResponse((response) => response.request().method() === 'POST');
  await page.locator('button').first().click();
  await sent;
  await page.locator('h1').waitFor();
}
