import { wrongField } from '../errors.js';

// URL parsers repair these characters: they drop line breaks and tabs, and turn backslashes into slashes.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const REPAIRED = /[\u0000-\u0020\u007f\\]/;
// The Location header holds ASCII only.
const ASCII = /^[!-~]*$/;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const LONGEST = 2048;

function problemOf(value: string): string | undefined {
  if (value.length > LONGEST) return `has more than ${LONGEST} characters`;
  if (!/^https?:\/\/[^/]/.test(value) || REPAIRED.test(value) || !URL.canParse(value)) {
    return 'is not an absolute https URL';
  }
  if (!ASCII.test(value))
    return 'is not in ASCII: write other characters percent-encoded, and names of hosts as xn--…';
  if (/^https?:\/\/[^/?#]*@/.test(value)) return 'holds a user name or password';
  if (value.includes('#')) return 'has a fragment';
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || LOOPBACK.test(hostname) ? undefined : 'is not https';
}

interface UrlField {
  /** Subject of the error message. */
  readonly called: string;
  /** Name of the request field. */
  readonly name: string;
}

/** Gives an application's URL for browsers unchanged. Throws invalid_request with its problem. */
export function checkBrowserUrl({ called, name }: UrlField, value: string): string {
  const problem = problemOf(value);
  if (problem === undefined) return value;
  throw wrongField(
    name,
    `${called} ${problem}; give one such as https://app.example.com/connected, or http://localhost:3000/connected while you develop.`,
  );
}
