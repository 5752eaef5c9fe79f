import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Client } from './client.ts';

const PROGRAM = fileURLToPath(new URL('node_modules/.bin/mcp-inspector', import.meta.url));
const runFile = promisify(execFile);

export const client: Client = async ({ url, token, name, input }) => {
  // The Inspector gets a temporary home folder, because it stores a list of servers in its user's home.
  const home = mkdtempSync(path.join(tmpdir(), 'svc-inspector-'));
  const ask = async (...args: readonly string[]) => {
    const common = ['--cli', url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`];
    const env = { PATH: process.env['PATH'], HOME: home };
    const { stdout } = await runFile(PROGRAM, [...common, ...args], { env, maxBuffer: 16 * 2 ** 20 });
    return JSON.parse(stdout);
  };
  try {
    const { tools } = await ask('--method', 'tools/list');
    const pairs = Object.entries(input).flatMap(([key, value]) => [
      '--tool-arg',
      `${key}=${JSON.stringify(value)}`,
    ]);
    const result = await ask('--method', 'tools/call', '--tool-name', name, ...pairs);
    return { names: tools.map((tool: { readonly name: string }) => tool.name), result };
  } finally {
    rmSync(home, { recursive: true });
  }
};
