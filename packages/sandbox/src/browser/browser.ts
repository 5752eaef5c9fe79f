import { type CookieJar, createCookieJar } from './cookie-jar.js';
import { type Form, fillForm, parseForms } from './forms.js';

/** A page that the browser shows. */
export interface Page {
  readonly url: string;
  readonly status: number;
  readonly body: string;
  /** True when `stopAt` held the browser back from opening `url`. */
  readonly stopped: boolean;
}

/** Options of a navigation. */
export interface Navigation {
  /** Stops before opening an address for which this returns true. */
  stopAt?: (url: string) => boolean;
}

/** Options of a form submission. */
export interface FormAnswer extends Navigation {
  /** The button to press. */
  button: { name: string; value: string };
  /** Radio buttons and options to choose, by field name. */
  choices?: Record<string, string>;
}

/** A browser without script: it keeps cookies, follows redirects and submits forms. */
export interface Browser {
  readonly cookies: CookieJar;
  open(url: string, navigation?: Navigation): Promise<Page>;
  /** The forms of a page. */
  forms(page: Page): Form[];
  submit(page: Page, form: Form, answer: FormAnswer): Promise<Page>;
}

interface PageRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly form?: URLSearchParams;
  /** The page that the navigation began on; none when the address was typed. */
  readonly from?: URL;
}

const MAX_REDIRECTS = 20;

/** A browser with its own cookies, or with those of another one. */
export function createBrowser(cookies: CookieJar = createCookieJar()): Browser {
  return {
    cookies,
    open: (url, navigation = {}) => navigate(cookies, { url: new URL(url), method: 'GET' }, navigation),
    forms: (page) => parseForms(page.body),
    submit(page, form, answer) {
      const from = new URL(page.url);
      const url = new URL(form.action === '' ? page.url : form.action, page.url);
      const sent = fillForm(form, answer.button, answer.choices);
      if (form.method === 'POST') return navigate(cookies, { url, method: 'POST', form: sent, from }, answer);
      url.search = sent.toString();
      return navigate(cookies, { url, method: 'GET', from }, answer);
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
  throw new Error(`Gave up after ${MAX_REDIRECTS} redirects, at ${request.url.href}.`);
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

// 307 and 308 repeat the request; everything else goes on with GET.
function redirected(request: PageRequest, status: number, location: string): PageRequest {
  const url = new URL(location, request.url);
  const from = request.from ?? request.url;
  return status === 307 || status === 308 ? { ...request, url, from } : { url, method: 'GET', from };
}
