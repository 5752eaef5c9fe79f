import { type Browser, createBrowser, type Page } from './browser.js';
import type { Form } from './forms.js';

/** Options of an authorization. */
export interface ApproveOptions {
  /** Presses Deny where a page asks; by default it allows. */
  deny?: boolean;
  /**
   * The person who consents: the value of the page's `user` field, such as `ada` or `grace`. Default: the one that is
   * preselected.
   */
  user?: string;
  /** Stops before opening an address for which this returns true. */
  stopAt?: (url: string) => boolean;
  /** The browser to use, with its cookies; by default a new one. */
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
 * Follows an authorization link to its end, as a person without script would: through every redirect, pressing the
 * approving button of every form on the way. A page with an error status, or without a form, is the end.
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
  throw new Error(`Still asked to decide after ${MAX_PAGES} pages, at ${page.url}.`);
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
