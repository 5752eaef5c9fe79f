import { type Browser, createBrowser, type Page } from './browser.js';
import type { Form } from './forms.js';

/** Options for the automated consent of `approve`. */
export interface ApproveOptions {
  /** Presses the Deny button on the consent page instead of Allow. Default: false. */
  deny?: boolean;
  /**
   * Person who consents: the value of the consent page's `user` field, such as `ada` or `grace`. Default: the person
   * whom the page preselects.
   */
  user?: string;
  /**
   * Ends the flow before the browser requests a URL for which this function returns true, such as the application's
   * redirect URI.
   */
  stopAt?: (url: string) => boolean;
  /** Browser to use, with its cookies. Default: a new browser without cookies. */
  browser?: Browser;
}

/** The last page of the flow, and the browser that opened it. */
export interface Approved {
  url: string;
  status: number;
  body: string;
  browser: Browser;
}

const MAX_PAGES = 10;

/**
 * Opens an authorization URL and consents like a person in a browser without JavaScript. Follows every redirect and
 * presses the Allow or Deny button of each form. Stops at the first page with an error status or without a matching
 * button.
 */
export async function approve(link: string, options: ApproveOptions = {}): Promise<Approved> {
  const { deny = false, user, stopAt, browser = createBrowser() } = options;
  const navigation = stopAt === undefined ? {} : { stopAt };
  let page = await browser.open(link, navigation);
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const press =
      page.stopped || page.status >= 400
        ? undefined
        : findButton(browser.forms(page), deny ? 'deny' : 'allow');
    if (press === undefined) return { ...end(page), browser };
    const choices = user === undefined ? {} : { user };
    page = await browser.submit(page, press.form, { button: press.button, choices, ...navigation });
  }
  throw new Error(
    `The consent did not finish after ${MAX_PAGES} pages. The last page was ${page.url}. Find out why the server shows more consent pages.`,
  );
}

function end({ url, status, body }: Page): { url: string; status: number; body: string } {
  return { url, status, body };
}

function findButton(forms: readonly Form[], decision: 'allow' | 'deny') {
  for (const form of forms) {
    const button = form.buttons.find(({ name, value }) => name === 'decision' && value === decision);
    if (button !== undefined) return { form, button };
  }
  const all = forms.flatMap((form) => form.buttons.map((button) => ({ form, button })));
  return all.length === 1 ? all[0] : undefined;
}
