import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolder } from '../../processes/new-folder.js';
import type { Task } from './drive.js';

const PACKAGE = path.dirname(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'),
);
const CLIENT = fileURLToPath(new URL('client.mjs', import.meta.url));

/** Result of one check of the suite. */
export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly description: string;
  readonly errorMessage?: string;
}

/** Reads from the suite which scenarios a revision of MCP requires of clients or servers. */
export function requiredScenarios(revision: string, side: 'client' | 'server' = 'client'): string[] {
  const text = readFileSync(path.join(PACKAGE, 'requirements', `${revision}.yaml`), 'utf8');
  const [, listed = ''] = new RegExp(`^${side}:\\n((?: {2}- .*\\n)+)`, 'm').exec(text) ?? [];
  return [...listed.matchAll(/^ {2}- (.+)$/gm)].map(([, name = '']) => name);
}

// Maximum number of tasks at a time. The suite starts all its clients at once, and its protocol timeouts are a few
// seconds.
const MOST_AT_WORK = 4;
const CLIENT_TIMEOUT_MS = 180_000;

/** Creates a semaphore that runs at most `most` functions at a time, in order of arrival. */
function createQueue(most: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/**
 * Starts a server that receives the tasks of the suite's clients. The response status reports whether the client's task
 * succeeded.
 */
async function startControl(work: (task: Task) => Promise<boolean>) {
  const queue = createQueue(MOST_AT_WORK);
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const isDone = await queue(() => work(JSON.parse(text))).catch(() => false);
    response.writeHead(isDone ? 200 : 500).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() };
}

function readChecks(folder: string): Map<string, readonly Check[]> {
  const files = globSync('**/checks.json', { cwd: folder });
  return new Map(
    files.map((file) => [
      // Removes the time that the suite appends to the scenario's name.
      path.dirname(file).replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''),
      JSON.parse(readFileSync(path.join(folder, file), 'utf8')),
    ]),
  );
}

/** Runs the suite's command, and returns the checks by scenario. */
async function run(
  args: readonly string[],
  onOutput: (text: string) => void = () => undefined,
): Promise<Map<string, readonly Check[]>> {
  const folder = newFolder();
  await new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [path.join(PACKAGE, 'dist', 'index.js'), ...args, '--output-dir', folder],
      { cwd: folder, maxBuffer: 2 ** 26 },
      resolve,
    );
    child.stdout?.on('data', onOutput);
  });
  return readChecks(folder);
}

export interface AuthorizationSuite {
  readonly issuer: string;
  readonly clientId: string;
  readonly resource: string;
  /** Port on which the suite waits for its user's browser: `http://127.0.0.1:<port>/callback`. */
  readonly port: number;
  /** Consents as a user, starting at this URL, and returns the final redirect URL. */
  readonly agree: (url: string) => Promise<string>;
}

/** Runs the suite against an authorization server and returns its checks. */
export function runAuthorizationSuite(suite: AuthorizationSuite): Promise<Map<string, readonly Check[]>> {
  const { issuer, clientId, resource, port, agree } = suite;
  const own = ['--url', issuer, '--client-id', clientId, '--resource', resource, '--port', String(port)];
  return run(['authorization', ...own], (text) => {
    const [url] = /^https?:\/\/\S+\/authorize\?\S+$/m.exec(text) ?? [];
    // Errors are ignored here, because the suite reports a callback that does not arrive.
    if (url !== undefined) agree(url).then(fetch, () => undefined);
  });
}

/** Runs the scenarios of a revision against a server and returns its checks. */
export async function runServerSuite(url: string, revision: string): Promise<Map<string, readonly Check[]>> {
  const checks = await run(['server', '--url', url, '--requirements', revision]);
  return new Map([...checks].map(([name, results]) => [name.replace(/^server-/, ''), results]));
}

/** Runs scenarios of the suite, such as `--requirements 2026-07-28`, and returns the checks by scenario. */
export async function runSuite(
  selection: readonly string[],
  work: (task: Task) => Promise<boolean>,
): Promise<Map<string, readonly Check[]>> {
  const control = await startControl(work);
  const command = `${process.execPath} ${CLIENT} ${control.url}`;
  const limits = ['--timeout', String(CLIENT_TIMEOUT_MS)];
  const checks = await run(['client', '--command', command, ...limits, ...selection]);
  control.stop();
  return checks;
}
