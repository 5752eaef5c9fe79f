import { execFileSync } from 'node:child_process';
import { constants, openSync, readSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuOf, TIMED } from '../../test/support/processes/cpu-of.js';
import { newFolder } from '../../test/support/processes/new-folder.js';
import { ServiceError } from '../errors.js';
import { createLog, type LogFields, openOutput } from './log.js';
import type { CompletedRequest, RequestLines } from './request-line.js';

function createRecorded(options: RequestLines & { readonly serviceVersion?: string } = {}, level = 'trace') {
  const lines: string[] = [];
  const write = (text: string) => lines.push(...text.split(/(?<=\n)/));
  const log = createLog(level, { ...options, destination: { write, flushSync: () => {} } });
  return { log, lines };
}

const completed = (change: Partial<CompletedRequest> = {}): CompletedRequest => ({
  requestId: 'req_1',
  applicationId: 'app_1',
  method: 'GET',
  route: '/v1/proxy/*',
  status: 200,
  durationMs: 12,
  ...change,
});

// Control characters, line separators and bidi characters.
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\u202e', '\u001b[2J', '\n{"level":50}', '\u0085', '\u2028', '\u2066', '\u009b31m', '\r'),
  fc
    .array(fc.constantFrom('\u202e', '\n', '"', '\\', 'a', '\u0000', '\u061c', '\ud800'), { maxLength: 120 })
    .map((parts) => parts.join('')),
);

describe('L3: a log line', () => {
  test('is one line of JSON without control or bidi characters, for any input', () => {
    fc.assert(
      fc.property(hostile, hostile, (text, other) => {
        const { log, lines } = createRecorded({ access: true });
        const fields = { requestId: text, route: other, errorCode: text, address: other };
        log.info(other, fields);
        log.fault(
          text,
          new ServiceError('internal_error', other, undefined, { cause: new Error(text) }),
          fields,
        );
        log.request(completed(fields));
        log.flush();
        expect(lines).toHaveLength(3);
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

  test('has only the allowed fields', () => {
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

  test.each([
    { title: 'with the version of the service', options: { serviceVersion: '1.4.0-"x"' } },
    { title: 'without a version', options: {} },
  ])('equals the line of pino for a request, without other fields of the object, $title', ({ options }) => {
    const { log, lines } = createRecorded({ access: true, ...options });
    const request = { ...completed({ status: 404, traceId: 'f'.repeat(32) }), errorCode: 'not_found' };
    const wide = { ...request, authorization: 'Bearer x', url: '/?code=c' };
    log.request(wide);
    log.info('request', request);
    const [own, theirs] = lines.map((line) => ({ ...JSON.parse(line), time: '' }));
    expect(own).toEqual(theirs);
    expect(Object.keys(own)).toEqual(Object.keys(theirs));
  });

  test('contains the stack of a fault and no external text', () => {
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

  test('ends at a cause that is its own cause', () => {
    const { log, lines } = createRecorded();
    const error = new Error('x');
    error.cause = error;
    log.fault('unexpected error', error);
    expect(lines).toHaveLength(1);
  });
});

describe('the request log', () => {
  test.each([
    { title: 'a successful request', request: {}, messages: [] },
    { title: 'a refused request', request: { status: 404, errorCode: 'not_found' }, messages: [] },
    { title: 'an upstream failure that is passed on', request: { status: 502 }, messages: [] },
    {
      title: 'a failure of the service',
      request: { status: 503, errorCode: 'unavailable' },
      messages: [{ level: 40, msg: 'request failed', status: 503, errorCode: 'unavailable' }],
    },
    {
      title: 'a slow request',
      request: { durationMs: 500 },
      messages: [
        { level: 40, msg: 'slow request', durationMs: 500, route: '/v1/proxy/*', requestId: 'req_1' },
      ],
    },
  ])('logs by default: $title', ({ request, messages }) => {
    const { log, lines } = createRecorded({ slowMs: 500 }, 'info');
    log.request(completed(request));
    log.flush();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(messages);
  });

  test('logs every request in order with other lines when access logs are on', () => {
    const { log, lines } = createRecorded({ access: true }, 'info');
    log.request(completed());
    log.warn('something else');
    log.request(completed({ status: 500, errorCode: 'internal_error' }));
    log.flush();
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'request',
      'something else',
      'request failed',
    ]);
  });

  test('logs nothing below the level', () => {
    const { log, lines } = createRecorded({ access: true, slowMs: 10 }, 'error');
    log.request(completed({ status: 500, errorCode: 'internal_error' }));
    log.flush();
    expect(lines).toEqual([]);
  });

  test('is written without waiting for the next line', async () => {
    const { log, lines } = createRecorded({ access: true });
    log.request(completed());
    await expect.poll(() => lines).toHaveLength(1);
  });

  test('takes less than 3 µs per line', TIMED, async () => {
    const count = 100_000;
    let written = 0;
    const write = (text: string) => {
      written += Buffer.byteLength(text);
    };
    const log = createLog('info', { access: true, destination: { write, flushSync: () => {} } });
    const requests = Array.from({ length: 100 }, (_, index) => completed({ requestId: `req_${index}` }));
    const rounds = async () =>
      cpuOf(() => {
        for (let round = 0; round < count / requests.length; round += 1)
          for (const each of requests) log.request(each);
      });
    const first = await rounds();
    expect(Math.min(first, await rounds(), await rounds())).toBeLessThan((3 * count) / 1000);
    expect(written).toBeGreaterThan(100 * count);
  });
});

test('F5: unread lines above a limit are dropped and counted', async () => {
  const pipe = `${newFolder()}/pipe`;
  execFileSync('mkfifo', [pipe]);
  // The file stays open until the end of the process, because the log may write to it until then.
  const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  const log = createLog('info', { destination: openOutput(fd, 100_000) });
  for (let line = 0; line < 5000; line += 1) log.info('x'.repeat(100));
  const buffer = Buffer.alloc(65_536);
  let read = '';
  const readOn = () => {
    try {
      read += buffer.toString('utf8', 0, readSync(fd, buffer));
    } catch {
      // Ignores the error of `readSync`, because reading an empty pipe throws EAGAIN.
    }
    return read;
  };
  await expect
    .poll(readOn, { timeout: 20_000 })
    .toContain(
      'log lines were dropped, because the output did not accept them; check the program that reads the log',
    );
  const lines = readOn()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const { count } = lines.find(
    ({ msg }) =>
      msg ===
      'log lines were dropped, because the output did not accept them; check the program that reads the log',
  );
  expect(count).toBeGreaterThan(1000);
  expect(lines.length - 1 + count).toBe(5000);
});

describe('readable lines for a terminal', () => {
  function createReadable() {
    const written: string[] = [];
    const destination = { write: (text: string) => written.push(text), flushSync: () => {} };
    const log = createLog('trace', { access: true, readable: true, serviceVersion: '1.4.0', destination });
    return { log, text: () => written.join('').replaceAll(/^\d\d:\d\d:\d\d /gm, '') };
  }

  test('contain the level, the message and the fields', () => {
    const { log, text } = createReadable();
    log.info('connection.created', { applicationId: 'app_1', count: 2 });
    log.request(completed({ status: 503, errorCode: 'unavailable' }));
    log.request(completed({ route: '/readyz', status: 503, errorCode: 'unavailable' }));
    log.flush();
    expect(text()).toBe(
      [
        'INFO  connection.created  applicationId=app_1 count=2',
        'WARN  request failed  requestId=req_1 applicationId=app_1 method=GET route=/v1/proxy/* status=503 errorCode=unavailable durationMs=12',
        'INFO  request  requestId=req_1 applicationId=app_1 method=GET route=/readyz status=503 errorCode=unavailable durationMs=12',
        '',
      ].join('\n'),
    );
  });

  test('contain an error with its cause and their stack traces', () => {
    const { log, text } = createReadable();
    log.fault(
      'refresh failed',
      new ServiceError('internal_error', 'It broke.', undefined, { cause: new TypeError('x') }),
    );
    log.flush();
    expect(text()).toMatch(
      /^ERROR refresh failed\n {2}ServiceError: It broke\.\n {4}at .*log\.test\.ts[\s\S]*\n {2}caused by TypeError\n {4}at .*log\.test\.ts/,
    );
  });

  test('L3: contain no control or bidi characters, for any input', () => {
    fc.assert(
      fc.property(hostile, hostile, (value, other) => {
        const { log, text } = createReadable();
        const fields = { requestId: value, route: other, errorCode: value };
        log.info(other, fields);
        log.fault(value, new ServiceError('internal_error', other), fields);
        log.request(completed(fields));
        log.flush();
        expect(text().replaceAll('\n', '')).not.toMatch(UNSAFE);
        expect(
          text()
            .split('\n')
            .filter((line) => /^(INFO|WARN|ERROR)/.test(line)),
        ).toHaveLength(3);
      }),
    );
  });
});
