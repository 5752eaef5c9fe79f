import { wrongField } from '../errors.js';

// Forbidden characters in URLs: control characters, spaces and backslashes. URL parsers rewrite them, so a browser
// could open another URL than the checked one.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const REPAIRED = /[\u0000-\u0020\u007f\\]/;
// URLs must be ASCII, because the `Location` header of the redirect allows nothing else.
const ASCII = /^[!-~]*$/;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const MAX_CHARACTERS = 2048;

function problemOf(value: string): string | undefined {
  if (value.length > MAX_CHARACTERS) return `has more than ${MAX_CHARACTERS} characters`;
  if (REPAIRED.test(value)) return 'contains a space, a backslash or a control character';
  if (!/^https?:\/\/[^/]/.test(value) || !URL.canParse(value)) return 'is not an absolute https URL';
  if (!ASCII.test(value))
    return 'is not in ASCII: percent-encode other characters, and write host names as xn--…';
  if (/^https?:\/\/[^/?#]*@/.test(value)) return 'contains a user name or password';
  if (value.includes('#')) return 'has a fragment';
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || LOOPBACK.test(hostname) ? undefined : 'is not https';
}

const USE_PAGE =
  'Use a URL such as https://app.example.com/connected, or http://localhost:3000/connected while you develop.';

interface UrlField {
  /** Name of the checked URL at the start of an error message, such as `A redirect URL`. */
  readonly called: string;
  /** Name of the API request's property that contains the checked URL. The error details contain this name. */
  readonly name: string;
  /** Advice of the error message: which URL to send. Default: the URL of a page of the application. */
  readonly advice?: string;
}

/** Checks a URL to which browsers are redirected, and returns it unchanged. Throws invalid_request if it is invalid. */
export function checkBrowserUrl({ called, name, advice = USE_PAGE }: UrlField, value: string): string {
  const problem = problemOf(value);
  if (problem === undefined) return value;
  throw wrongField(name, `${called} ${problem}. ${advice}`);
}
