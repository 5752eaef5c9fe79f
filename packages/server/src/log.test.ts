import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from './errors.js';
import { createLog, type LogFields } from './log.js';

function createRecorded(level = 'trace') {
  const lines: string[] = [];
  const log = createLog(level, { write: (line) => lines.push(line), flushSync: () => {} });
  return { log, lines };
}

// Controls, line separators, and characters that turn text around.
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\u202e', '\u001b[2J', '\n{"level":50}', '\u0085', '\u2028', '\u2066', '\u009b31m', '\r'),
  fc
    .array(fc.constantFrom('\u202e', '\n', '"', '\\', 'a', '\u0000', '\u061c', '\ud800'), { maxLength: 120 })
    .map((parts) => parts.join('')),
);

describe('L3: a line of the log', () => {
  test('is one line of JSON without control or bidi characters, whatever is logged', () => {
    fc.assert(
      fc.property(hostile, hostile, (text, other) => {
        const { log, lines } = createRecorded();
        const fields = { requestId: text, route: other, errorCode: text, address: other };
        log.info(other, fields);
        log.fault(
          text,
          new ServiceError('internal_error', other, undefined, { cause: new Error(text) }),
          fields,
        );
        expect(lines).toHaveLength(2);
        for (const line of lines) {
          expect(line.at(-1)).toBe('\n');
          expect(line.slice(0, -1)).not.toMatch(UNSAFE);
          const { requestId, route } = JSON.parse(line);
          expect([requestId, route].map((field) => field.toWellFormed())).toEqual([
            text.toWellFormed(),
            other.toWellFormed(),
          ]);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('holds no field but those that are allowed', () => {
    const { log, lines } = createRecorded();
    const wide = {
      requestId: 'req_1',
      authorization: 'Bearer x',
      cookie: 'y',
      body: { token: 'z' },
      url: '/?code=c',
    };
    const fields: LogFields = wide;
    for (const write of [log.info, log.debug, log.warn]) write('request', fields);
    log.fault('fault', new TypeError('x'), fields);
    for (const line of lines) {
      const { error: _, ...rest } = JSON.parse(line);
      expect(Object.keys(rest).sort()).toEqual(['level', 'msg', 'requestId', 'time']);
    }
    expect(lines).toHaveLength(4);
  });

  test('of a fault says where it happened, and nothing that somebody else wrote', () => {
    const { log, lines } = createRecorded();
    const token = 'svc_at_secret-token';
    const cause = Object.assign(new SyntaxError(`Unexpected "${token}"\n    at ${token}`), {
      code: 'ERR_PARSE',
      body: token,
    });
    log.fault('unexpected error', new TypeError(`bad header ${token}`, { cause }));
    log.fault('unexpected error', token);
    log.fault('unexpected error', new ServiceError('internal_error', 'A row cannot be read.', { token }));
    expect(lines.join('')).not.toContain(token);
    const [first, , third] = lines.map((line) => JSON.parse(line).error);
    expect(first).toMatchObject({
      name: 'TypeError',
      frames: expect.arrayContaining([expect.stringContaining('log.test.ts')]),
      cause: { name: 'SyntaxError', code: 'ERR_PARSE' },
    });
    expect(third).toMatchObject({ code: 'internal_error', message: 'A row cannot be read.' });
  });

  test('ends with a cause that is its own cause', () => {
    const { log, lines } = createRecorded();
    const error = new Error('x');
    error.cause = error;
    log.fault('unexpected error', error);
    expect(lines).toHaveLength(1);
  });
});
