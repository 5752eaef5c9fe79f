import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { problemAffectsResolutionKind, problemKindInfo } from '@arethetypeswrong/core/problems';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packPackage } from '../pack-package.ts';
import { readManifests } from '../workspace.ts';
import { installPacked } from './install-packed.ts';

// Packs every published package, and reports missing files, entry points and types in the packed archive. Installs the
// archives of two packages into a project.

const EXPECTED = ['package.json', 'README.md', 'LICENSE'];
/**
 * Built files that a package reads at run time and that the packed archive must contain. publint misses them, because
 * no entry point names them.
 */
const READ_AT_RUN_TIME: Readonly<Record<string, readonly string[]>> = {
  '@svc/catalog': ['dist/built-in.json', 'schemas/meta/tool.json'],
  '@svc/server': ['dist/dashboard/index.html'],
};
const NOT_PUBLISHED = /\.test\.|^src\/|^test\//;
/**
 * Module resolutions with which the types of each package are checked. CommonJS and Node 10 are left out, because the
 * packages are ESM only.
 */
const RESOLUTIONS = ['node16-esm', 'bundler'] as const;

async function entryProblems(tarball: Uint8Array<ArrayBuffer>): Promise<readonly string[]> {
  const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

async function typeProblems(tarball: Uint8Array<ArrayBuffer>): Promise<readonly string[]> {
  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  if (!analysis.types) return ['the package has no types; check the build'];
  return analysis.problems
    .filter((problem) => RESOLUTIONS.some((kind) => problemAffectsResolutionKind(problem, kind, analysis)))
    .map((problem) => {
      const { shortDescription } = problemKindInfo[problem.kind];
      return `${shortDescription}: ${JSON.stringify({ ...problem, trace: undefined })}`;
    });
}

async function problemsOf(name: string, folder: string, into: string): Promise<readonly string[]> {
  const { tarball: file, files } = packPackage({ name, folder, into });
  const tarball = new Uint8Array(readFileSync(file));
  const problems = [
    ...[...EXPECTED, ...(READ_AT_RUN_TIME[name] ?? [])]
      .filter((file) => !files.includes(file))
      .map((file) => `${file} is not in the package; add it to files in package.json`),
    ...files
      .filter((file) => NOT_PUBLISHED.test(file))
      .map((file) => `${file} must not be in the package; exclude it in files in package.json`),
    ...(await entryProblems(tarball)),
    ...(await typeProblems(tarball)),
  ];
  console.log(`${name}: ${files.length} files, ${(tarball.length / 1024).toFixed(1)} kB`);
  return problems.map((problem) => `${name}: ${problem}`);
}

const into = mkdtempSync(path.join(tmpdir(), 'svc-pack-'));
const problems: string[] = [];
for (const [file, manifest] of readManifests())
  if (!manifest.private) problems.push(...(await problemsOf(manifest.name, path.dirname(file), into)));
problems.push(...installPacked(into, ['svc-core.tgz', 'svc-calendar.tgz']));
rmSync(into, { recursive: true });

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
