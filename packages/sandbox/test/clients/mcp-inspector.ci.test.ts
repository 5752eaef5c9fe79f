import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect } from 'vitest';
import { INSPECTOR, inspector } from './mcp/inspector.js';
import { notesOperations, scraperOperations } from './mcp/speaker.js';
import { runBattery } from './support/battery.js';
import { connectNotes } from './support/connect-notes.js';
import { waysTo } from './support/ways.js';

// Runs only in full test runs, because installing the Inspector brings several hundred packages.
describe.runIf(process.env['SVC_TEST_FULL'] === '1')('MCP Inspector', () => {
  beforeAll(() => {
    const options = ['install', '--frozen-lockfile', '--ignore-scripts'];
    const { status, stdout, stderr } = spawnSync('pnpm', options, { cwd: INSPECTOR, encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
  }, 300_000);

  runBattery('the scraping platform', {
    ...waysTo('scrapermcp', ({ baseUrl, token }) => inspector(baseUrl, token), { key: 'sandbox-scrapermcp' }),
    operations: scraperOperations,
  });
  runBattery('the notes server', {
    ...waysTo('notesmcp', ({ baseUrl, token }) => inspector(`${baseUrl}/mcp`, token), {
      connect: connectNotes,
    }),
    operations: notesOperations,
  });
});
