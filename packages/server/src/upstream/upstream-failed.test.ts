import type { Connector, ErrorRule } from '@svc/catalog';
import { expect, test } from 'vitest';
import { upstreamFailed } from './upstream-failed.js';

const RULES: readonly ErrorRule[] = [
  { status: 400, rejectsInput: true, advice: 'Shorten the title.' },
  { status: 200, present: 'error' },
];
const connector = { service: 'Sample', errors: RULES } as unknown as Connector;

const failed = (status: number, body: unknown) =>
  upstreamFailed({ status, headers: {}, body }, { connector, now: () => new Date(0) });

test.each([
  { title: 'an input error with a rule', upstream: 400, status: 422, reason: 'input_rejected' },
  { title: 'a refusal without a rule', upstream: 403, status: 424, reason: 'call_rejected' },
  { title: 'a rate limit', upstream: 429, status: 424, reason: 'call_rejected' },
  { title: 'a 200 response with an error', upstream: 200, status: 424, reason: 'call_rejected' },
  { title: 'a server error of the upstream', upstream: 500, status: 502, reason: undefined },
])('an upstream failure gets $status for $title', ({ upstream, status, reason }) => {
  const error = failed(upstream, { error: 'No' });

  expect([error.status, error.details?.['reason'], error.details?.['status']]).toEqual([
    status,
    reason,
    upstream,
  ]);
});

/** End of the error message if the upstream's refusal contains no text and the connector has no advice. */
const SILENT = '. Check the input and the permissions of the account at the upstream';
const ADVICE =
  'If this message names a mistake, correct it. Otherwise check the input and the permissions of the account at the upstream.';

test.each([
  { title: 'a Google error', body: { error: { code: 404, message: 'Not Found' } }, said: ': "Not Found"' },
  { title: 'a message', body: { object: 'error', message: 'Title is wrong.' }, said: ': "Title is wrong"' },
  { title: 'a list of errors', body: { errors: [{ detail: 'Too long' }] }, said: ': "Too long"' },
  { title: 'a string', body: 'Nothing here', said: ': "Nothing here"' },
  { title: 'a string of 400 characters', body: 'a'.repeat(400), said: /^: "a{290,300}…?"$/ },
  { title: 'an HTML page', body: '<html>Forbidden</html>', said: SILENT },
  { title: 'null', body: null, said: SILENT },
  { title: 'an object without a message', body: { code: 7 }, said: SILENT },
])('the error message quotes the text of $title', ({ body, said }) => {
  const sentence = /^Sample responded with 404(.*)\.$/s.exec(
    failed(404, body).message.replace(` ${ADVICE}`, ''),
  )?.[1];

  if (typeof said === 'string') expect(sentence).toBe(said);
  else expect(sentence).toMatch(said);
});

test.each([
  {
    status: 302,
    body: null,
    says: /^Sample responded with 302\. The service does not follow this redirect\. /,
  },
  {
    status: 503,
    body: 'Busy',
    says: /^Sample responded with 503: "Busy"\. Retry later\. If the call changes data/,
  },
  { status: 429, body: 'Slow down', says: /^Sample responded with 429: "Slow down"\. Retry later\.$/ },
])('the error message says what to do about status $status', ({ status, body, says }) => {
  expect(failed(status, body).message).toMatch(says);
});

test.each([
  {
    title: 'the first pointer that finds a text',
    body: { message: 'Failed', faults: [{ text: '' }], fault: { 'a/b': 'No seats left.' } },
    said: ': "No seats left"',
  },
  {
    title: 'a message in the object at a pointer',
    body: { faults: [{ text: { message: 'Full' } }] },
    said: ': "Full"',
  },
  { title: 'a usual field if no pointer finds a text', body: { message: 'Failed' }, said: ': "Failed"' },
  { title: 'a list in the body', body: [{ said: 'Closed' }], said: ': "Closed"' },
  { title: 'no HTML page at a pointer', body: { fault: { 'a/b': '<p>No</p>' } }, said: SILENT },
])('the error message quotes $title that the connector declares', ({ body, said }) => {
  const errorText = ['/faults/0/text', '/fault/a~1b', '/0/said'];
  const declared = { ...connector, errorText };
  const { message } = upstreamFailed(
    { status: 404, headers: {}, body },
    { connector: declared, now: () => new Date(0) },
  );

  expect(message.replace(` ${ADVICE}`, '')).toBe(`Sample responded with 404${said}.`);
});
