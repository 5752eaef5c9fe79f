import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ALL_COMMANDS } from '../src/commands/all-commands.js';
import { SETTINGS } from '../src/config/settings.js';
import { ERROR_STATUS } from '../src/errors.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the README names every setting, its flag and its default', () => {
  const missing = Object.entries(SETTINGS).filter(([name, { env, fallback = '', isSecret }]) => {
    const flag = isSecret ? 'none: a secret' : `\`--${name}\``;
    const row = `^\\| \`${env}\` \\| ${flag} \\| .*\\| ${fallback.replaceAll('.', '\\.')}`;
    return !new RegExp(row, 'm').test(readme);
  });
  expect(missing).toEqual([]);
});

test('the README names every error code with its status', () => {
  const named = [...readme.matchAll(/^\| `([a-z_]+)` \| (\d{3}) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  expect(Object.fromEntries(named)).toEqual(ERROR_STATUS);
});

test('the README names every command', () => {
  const named = [...readme.matchAll(/^\| `svc-server ([a-z ]*[a-z])[` ]/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual(ALL_COMMANDS.map(({ name }) => name).sort());
});
