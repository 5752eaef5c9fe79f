import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');
const typeRoots = [join(dirname(require.resolve('@types/node/package.json')), '..')];

function run(args: readonly string[]): string {
  const { error, stdout, stderr } = spawnSync(process.execPath, [compiler, ...args], { encoding: 'utf8' });
  if (error) throw error;
  return stdout + stderr;
}

/** Writes the published declarations of this package to a temporary folder. */
export function emitDeclarations(): string {
  const folder = mkdtempSync(join(tmpdir(), 'core-types-'));
  const output = run(['-p', join(root, 'tsconfig.build.json'), '--outDir', folder, '--declaration']);
  if (output) throw new Error(output);
  return join(folder, 'index.d.ts');
}

const DEFAULTS = {
  target: 'es2022',
  lib: ['es2024'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
  strict: true,
  noEmit: true,
  skipLibCheck: false,
  types: ['node'],
  typeRoots,
};

/**
 * Compiles a program against the published declarations of this package. Returns the numbers of the lines with errors,
 * and the errors.
 */
export function compile(index: string, files: Readonly<Record<string, string>>, options: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'core-program-'));
  const paths = {
    '@svc/core': [index],
    '@svc/core/events': [join(dirname(index), 'events.d.ts')],
    '@svc/calendar': ['./calendar.ts'],
  };
  const compilerOptions = { ...DEFAULTS, paths, ...options };
  const all = { ...files, 'package.json': '{"type":"module"}' };
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  const output = run(['-p', folder, '--pretty', 'false']);
  const errors = output
    .split('\n')
    .filter((line) => line.includes(': error TS') || line.startsWith('error TS'));
  return { errors, lines: errors.map((line) => Number(/program\.ts\((\d+),/.exec(line)?.[1])) };
}

/** Source of a connector package as the generator writes it. */
export const calendarPackage = `import { connector, type Connector, type DryRunOptions, type DryRunResult, type PagedTool, type ToolOptions, type ToolResult } from '@svc/core';
export interface CreateEventInput { calendar_id?: string | undefined; summary?: string | undefined; attendees?: { email: string }[] | undefined; start_datetime: string; schema_version?: '1.0.0' | undefined }
export interface Event { id: string; summary?: string }
export interface ListEventsInput { calendar_id?: string | undefined; page_token?: string | undefined }
export interface Calendar {
  createEvent(input: CreateEventInput, options: DryRunOptions<'1.0.0', '1.0.0'>): Promise<DryRunResult>;
  createEvent(input: CreateEventInput, options?: ToolOptions<'1.0.0', '1.0.0'>): Promise<ToolResult<Event>>;
  listEvents: PagedTool<ListEventsInput | void, { items?: Event[] }, Event, '1.0.0', '1.0.0'>;
}
export const calendar: Connector<Calendar> = connector<Calendar>('calendar', {
  createEvent: { version: ['1.0.0', '1.0.0'] },
  listEvents: { version: ['1.0.0', '1.0.0'], page: 'items' },
});
declare module '@svc/core' {
  interface Tools {
    calendar_create_event: { input: CreateEventInput; output: Event };
    calendar_list_events: { input: ListEventsInput; output: { items?: Event[] }; watch: 'page_token' };
  }
}
`;
