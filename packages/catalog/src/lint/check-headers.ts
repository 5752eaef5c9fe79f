import type { Report } from './file-report.js';

/** Header name: a token of RFC 9110. */
const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const VALUE = /^[^\p{Cc}]*$/u;

/** Checks that header names and fixed header values are valid in HTTP. */
export function checkHeaders(headers: Readonly<Record<string, unknown>>, report: Report): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!NAME.test(name)) report([name], `"${name}" is not a valid header name; use letters, digits and -`);
    if (typeof value === 'string' && !VALUE.test(value))
      report([name], 'the value has line breaks or other control characters; delete them');
  }
}
