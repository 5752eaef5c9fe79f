import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ToolClient } from './speaker.js';

/** Folder with the installed MCP Inspector and its dependencies. */
export const INSPECTOR = fileURLToPath(new URL('../inspector/', import.meta.url));

const PROGRAM = path.join(INSPECTOR, 'node_modules/.bin/mcp-inspector');
const MOST_PRINTED = 16 * 2 ** 20;
const FAILED_TOOL = /"code":"tool_is_error"/;
const runFile = promisify(execFile);

/** Returns the output of the Inspector. A failed tool call prints its result too, but exits with an error code. */
const printedBy = (running: Promise<{ stdout: string }>): Promise<string> =>
  running.then(
    ({ stdout }) => stdout,
    (error: { stdout?: string; stderr?: string }) => {
      if (FAILED_TOOL.test(error.stderr ?? '')) return error.stdout ?? '';
      throw error;
    },
  );

/** Creates a client that runs the MCP Inspector's command line, with a process per call. */
export function inspector(endpoint: string, token: string): ToolClient {
  async function run(...args: readonly string[]) {
    // The Inspector stores a server list in the home folder, so each call gets a temporary one.
    const home = mkdtempSync(path.join(tmpdir(), 'svc-inspector-'));
    const server = [endpoint, '--transport', 'http', '--header', `Authorization: Bearer ${token}`];
    try {
      const env = { PATH: process.env['PATH'], HOME: home };
      const options = { env, maxBuffer: MOST_PRINTED };
      return JSON.parse(await printedBy(runFile(PROGRAM, ['--cli', ...server, ...args], options)));
    } finally {
      rmSync(home, { recursive: true });
    }
  }
  return {
    listTools: () => run('--method', 'tools/list'),
    callTool(name, input) {
      const pairs = Object.entries(input).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
      const given = pairs.flatMap((pair) => ['--tool-arg', pair]);
      return run('--method', 'tools/call', '--tool-name', name, ...given);
    },
  };
}
