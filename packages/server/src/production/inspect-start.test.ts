import { expect, test } from 'vitest';
import { optionNames } from './inspect-start.js';

test.each([
  { given: '', names: [] },
  { given: '--inspect', names: ['--inspect'] },
  {
    given: '  --max-old-space-size=512  --inspect=127.0.0.1:0 ',
    names: ['--max-old-space-size', '--inspect'],
  },
  { given: '--tls_keylog=/tmp/a_file', names: ['--tls-keylog'] },
  { given: '"--inspect=127.0.0.1:0"', names: ['--inspect'] },
  { given: '--ins"pect"', names: ['--inspect'] },
  { given: '"--insecure\\_http\\-parser"', names: ['--insecure-http-parser'] },
  { given: '"--title=a b" --trace_tls', names: ['--title', '--trace-tls'] },
  { given: '"--title=a\\" --inspect"', names: ['--title'] },
  { given: '--title=a\\" --inspect"', names: ['--title'] },
  { given: '--title=a\\ --inspect', names: ['--title', '--inspect'] },
  { given: '--title=a\n--inspect\t--inspect', names: ['--title'] },
])('NODE_OPTIONS=$given contains $names', ({ given, names }) => {
  expect(optionNames([], given)).toEqual(names);
});

test('command line options are read without quotes and with underscores', () => {
  expect(optionNames(['--tls_min_v1.0', '--title="a b"'], '--inspect')).toEqual([
    '--tls-min-v1.0',
    '--title',
    '--inspect',
  ]);
});
