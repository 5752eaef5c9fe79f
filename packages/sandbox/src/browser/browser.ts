import { type CookieJar, createCookieJar } from './cookie-jar.js';
import { type Form, fillForm, parseForms } from './forms.js';

/** A page that the browser shows. */
export interface Page {
  readonly url: string;
  readonly status: number;
  readonly body: string;
  /** True if `stopAt` prevented the request to `url`. */
  readonly stopped: boolean;
}

/** Options for opening a URL in the browser. */
export interface Navigation {
  /** Prevents the request to a URL for which this function returns true. The page then has `stopped: true`. */
  stopAt?: (url: string) => boolean;
}

/** Options of a form submission. */
export interface FormSubmission extends Navigation {
  /** The button to press. */
  button: { name: string; value: string };
  /** Values to choose for radio buttons and select options, by field name. */
  choices?: Record<string, string>;
}

/** A browser without JavaScript. The browser keeps cookies, follows redirects and submits forms. */
export interface Browser {
  readonly cookies: CookieJar;
  open(url: string, navigation?: Navigation): Promise<Page>;
  /** Parses the HTML forms of a page. */
  forms(page: Page): Form[];
  submit(page: Page, form: Form, options: FormSubmission): Promise<Page>;
}

interface PageRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly form?: URLSearchParams;
  /**
   * URL of the page that starts the navigation, which decides about SameSite cookies. Absent for a URL that a person
   * types.
   */
  readonly from?: URL;
}

const MAX_REDIRECTS = 20;

/** Creates a browser with an empty cookie jar, or with the cookie jar of another browser. */
export function createBrowser(cookies: CookieJar = createCookieJar()): Browser {
  return {
    cookies,
    open: (url, navigation = {}) => navigate(cookies, { url: new URL(url), method: 'GET' }, navigation),
    forms: (page) => parseForms(page.body),
    submit(page, form, options) {
      const from = new URL(page.url);
      const url = new URL(form.action === '' ? page.url : form.action, page.url);
      const sent = fillForm(form, options.button, options.choices);
      if (form.method === 'POST')
        return navigate(cookies, { url, method: 'POST', form: sent, from }, options);
      url.search = sent.toString();
      return navigate(cookies, { url, method: 'GET', from }, options);
    },
  };
}

async function navigate(cookies: CookieJar, first: PageRequest, { stopAt }: Navigation): Promise<Page> {
  let request = first;
  for (let step = 0; step <= MAX_REDIRECTS; step += 1) {
    if (stopAt?.(request.url.href)) return { url: request.url.href, status: 0, body: '', stopped: true };
    const response = await send(cookies, request);
    cookies.store(request.url, response.headers.getSetCookie());
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) {
      return { url: request.url.href, status: response.status, body: await response.text(), stopped: false };
    }
    await response.body?.cancel();
    request = redirected(request, response.status, location);
  }
  throw new Error(
    `The browser stopped after ${MAX_REDIRECTS} redirects, at ${request.url.href}. Remove the redirect loop from the server.`,
  );
}

function send(cookies: CookieJar, { url, method, form, from }: PageRequest): Promise<Response> {
  const cookie = cookies.header(url, {
    method,
    sameSite: from === undefined || from.hostname === url.hostname,
  });
  const headers: Record<string, string> = { accept: 'text/html', 'user-agent': 'svc-sandbox-browser' };
  if (cookie !== '') headers.cookie = cookie;
  if (method === 'POST' && from !== undefined) headers.origin = from.origin;
  return fetch(url, { method, headers, redirect: 'manual', ...(form === undefined ? {} : { body: form }) });
}

// Redirects with 307 and 308 repeat the method and the body. Every other redirect continues with GET, as in browsers.
function redirected(request: PageRequest, status: number, location: string): PageRequest {
  const url = new URL(location, request.url);
  const from = request.from ?? request.url;
  return status === 307 || status === 308 ? { ...request, url, from } : { url, method: 'GET', from };
}
