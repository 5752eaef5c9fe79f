import { assertContains } from '../assert-contains.ts';
import type { Registry } from './registry.ts';
import type { Tools } from './tools.ts';
import { newFolder, run, writeFiles } from './workplace.ts';

/** Project of a CommonJS program, as a framework creates it. */
interface Project {
  readonly packages: readonly string[];
  readonly files: Readonly<Record<string, unknown>>;
  /** Options of the TypeScript compiler. Absent if the project is not compiled. */
  readonly compilerOptions?: Readonly<Record<string, unknown>>;
  /** Command line arguments with which Node.js runs the program. */
  readonly program: readonly string[];
}

const SETTINGS = "{ environmentUrl: 'http://127.0.0.1:1', accessToken: 'x' }";

const JEST: Project = {
  packages: ['jest'],
  files: {
    'client.test.mjs': `
import { createClient } from '@svc/core';
test('creates a client', () => {
  expect(typeof createClient(${SETTINGS}).executeTool).toBe('function');
  console.error('the client is a function');
});
`,
  },
  program: ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'],
};

const NEST: Project = {
  packages: ['@nestjs/common', '@nestjs/core', 'reflect-metadata', 'rxjs'],
  files: {
    'main.ts': `
import 'reflect-metadata';
import { Inject, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Client, createClient } from '@svc/core';
const SVC = Symbol('client');
@Injectable()
class Calendars {
  constructor(@Inject(SVC) readonly svc: Client) {}
}
@Module({ providers: [{ provide: SVC, useFactory: () => createClient(${SETTINGS}) }, Calendars] })
class AppModule {}
void NestFactory.createApplicationContext(AppModule, { logger: false }).then((app) => {
  console.log('the client is a', typeof app.get(Calendars).svc.executeTool);
});
`,
  },
  // The options of a new Nest project, which has no "type" in package.json, so that the output is CommonJS.
  compilerOptions: { module: 'nodenext', experimentalDecorators: true, emitDecoratorMetadata: true },
  program: ['dist/main.js'],
};

const NODE16: Project = {
  packages: [],
  files: {
    'main.ts': `
async function main(): Promise<void> {
  const { createClient } = await import('@svc/core');
  console.log('the client is a', typeof createClient(${SETTINGS}).executeTool);
}
void main();
`,
  },
  compilerOptions: { module: 'node16' },
  program: ['dist/main.js'],
};

const NODE20: Project = {
  packages: [],
  files: {
    'main.ts': `
import { createClient } from '@svc/core';
console.log('the client is a', typeof createClient(${SETTINGS}).executeTool);
`,
  },
  compilerOptions: { module: 'node20' },
  program: ['dist/main.js'],
};

const PROJECTS = { Jest: JEST, NestJS: NEST, 'TypeScript node16': NODE16, 'TypeScript node20': NODE20 };

async function tryProject({ find }: Tools, registry: Registry, project: Project): Promise<void> {
  const cwd = newFolder('framework');
  const npm = find('npm/bin/npm-cli.js') ?? 'npm';
  const { packages, files, compilerOptions, program } = project;
  const config = {
    compilerOptions: {
      ...compilerOptions,
      target: 'es2023',
      lib: ['es2023', 'dom', 'esnext.disposable'],
      strict: true,
      outDir: 'dist',
      rootDir: '.',
      types: [],
      skipLibCheck: true,
    },
    files: ['main.ts'],
  };
  writeFiles(cwd, { 'package.json': { private: true }, 'tsconfig.json': config, ...files });
  const install = ['install', '--no-audit', '--no-fund', '@svc/core', ...packages];
  await run(process.execPath, [npm, ...install], { cwd, env: registry.env });
  const tsc = find('typescript-6/bin/tsc');
  if (compilerOptions && tsc) await run(process.execPath, [tsc, '--project', '.'], { cwd });
  assertContains(await run(process.execPath, program, { cwd }), ['the client is a function']);
}

/** Uses the client in CommonJS programs and in Jest, as the README of `@svc/core` describes. */
export async function useFrameworks(tools: Tools, registry: Registry): Promise<string> {
  for (const project of Object.values(PROJECTS)) await tryProject(tools, registry, project);
  return Object.keys(PROJECTS).join(', ');
}
