import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ALL_COMMANDS } from '../../src/commands/all-commands.js';
import { SETTINGS } from '../../src/config/settings.js';
import { ERROR_STATUS } from '../../src/errors.js';

const readPage = (name: string): string =>
  readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8');

test('the settings page lists every setting with its flag and its default', () => {
  const page = readPage('operations/settings');
  const missing = Object.entries(SETTINGS).filter(([name, { env, fallback = '', isSecret }]) => {
    const flag = isSecret ? 'none: a secret' : `\`--${name}\``;
    const row = `^\\| \`${env}\` \\| ${flag} \\| .*\\| ${fallback.replaceAll('.', '\\.')}`;
    return !new RegExp(row, 'm').test(page);
  });
  expect(missing).toEqual([]);
});

test('the errors page lists every code with its status', () => {
  const statuses = [...readPage('guides/errors').matchAll(/^\| `([a-z_]+)` \| (\d{3}) \|/gm)].map(
    ([, code, status]) => [code, Number(status)],
  );
  expect(Object.fromEntries(statuses)).toEqual(ERROR_STATUS);
});

test('the commands page lists every command', () => {
  const commands = [...readPage('operations/commands').matchAll(/^\| `svc-server ([a-z ]*[a-z])[` ]/gm)].map(
    ([, name]) => name,
  );
  expect(commands.sort()).toEqual(ALL_COMMANDS.map(({ name }) => name).sort());
});
