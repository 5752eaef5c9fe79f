import { expect, test } from 'vitest';
import { readTraceParent } from './read-trace-parent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const VALID = `00-${TRACE}-${PARENT}-01`;

test.each([
  { title: 'version 00', header: VALID, traceparent: VALID },
  { title: 'unknown flags', header: `00-${TRACE}-${PARENT}-ff`, traceparent: `00-${TRACE}-${PARENT}-ff` },
  { title: 'a later version', header: `cc-${TRACE}-${PARENT}-00`, traceparent: `00-${TRACE}-${PARENT}-00` },
  {
    title: 'a later version with more fields',
    header: `cc-${TRACE}-${PARENT}-01-what-the-future-holds`,
    traceparent: VALID,
  },
])('reads a traceparent of $title as version 00', ({ header, traceparent }) => {
  expect(readTraceParent(header)).toEqual({ traceId: TRACE, traceparent });
});

test.each([
  { title: 'no header', header: undefined },
  { title: 'an empty header', header: '' },
  { title: 'two headers', header: [VALID, VALID] },
  { title: 'two headers that Node.js joined', header: `${VALID}, ${VALID}` },
  { title: 'two headers of a later version', header: `01-${VALID.slice(3)}, 01-${VALID.slice(3)}` },
  { title: 'version ff', header: `ff-${TRACE}-${PARENT}-01` },
  { title: 'a trace id of zeros', header: `00-${'0'.repeat(32)}-${PARENT}-01` },
  { title: 'a parent id of zeros', header: `00-${TRACE}-${'0'.repeat(16)}-01` },
  { title: 'upper-case digits', header: VALID.toUpperCase() },
  { title: 'a short trace id', header: `00-${TRACE.slice(1)}-${PARENT}-01` },
  { title: 'a long trace id', header: `00-${TRACE}0-${PARENT}-01` },
  { title: 'a short parent id', header: `00-${TRACE}-${PARENT.slice(1)}-01` },
  { title: 'no flags', header: `00-${TRACE}-${PARENT}` },
  { title: 'short flags', header: `00-${TRACE}-${PARENT}-1` },
  { title: 'more fields in version 00', header: `${VALID}-00` },
  { title: 'a dash at the end in version 00', header: `${VALID}-` },
  { title: 'more digits in a later version', header: `cc-${TRACE}-${PARENT}-01f` },
  { title: 'spaces around it', header: ` ${VALID}` },
  { title: 'a line break at its end', header: `${VALID}\n` },
  { title: 'other letters', header: VALID.replace('4bf', '4bg') },
  { title: 'a short version', header: VALID.slice(1) },
])('ignores $title', ({ header }) => {
  expect(readTraceParent(header)).toBeUndefined();
});
