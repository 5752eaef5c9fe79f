import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { petsFiles, temporaryFolder, workspaceFiles, writeFiles } from '../test/fixture.js';
import { runCommand } from './run-command.js';

/** Generates a connector package in a new folder that already contains `files`. */
async function generatedIn(files: Readonly<Record<string, unknown>>) {
  const root = writeFiles(temporaryFolder(), files);
  const schemas = writeFiles(join(root, 'schemas'), petsFiles);
  await runCommand(['--schemas', schemas, '--out', join(root, 'packages')]);
  const read = (name: string) => JSON.parse(readFileSync(join(root, 'packages/pets', name), 'utf8'));
  return { manifest: read('package.json'), config: read('tsconfig.json') };
}

test('a package in the workspace of the platform uses its base configuration and tests', async () => {
  const { manifest, config } = await generatedIn(workspaceFiles);
  expect(manifest).toMatchObject({
    dependencies: { '@svc/core': 'workspace:^' },
    publishConfig: { access: 'public' },
    scripts: { test: expect.stringContaining('vitest') },
  });
  expect(manifest).not.toHaveProperty('devDependencies');
  expect(config.extends).toBe('../../tsconfig.base.json');
});

test('a package in another workspace is self-contained and private', async () => {
  const { 'packages/core/package.json': _, ...others } = workspaceFiles;
  for (const files of [others, { ...others, 'packages/core/package.json': { name: '@acme/core' } }]) {
    const { manifest, config } = await generatedIn(files);
    expect(manifest).toMatchObject({
      dependencies: { '@svc/core': '^1.0.0' },
      devDependencies: { tsup: '*', typescript: '*' },
      publishConfig: { access: 'restricted' },
    });
    expect(manifest.scripts).not.toHaveProperty('test');
    expect(config).not.toHaveProperty('extends');
  }
});

test('a run keeps the publish configuration and the scripts that a person added', async () => {
  const own = { publishConfig: { registry: 'https://npm.example.com' }, scripts: { lint: 'lint' } };
  const { manifest } = await generatedIn({ 'packages/pets/package.json': own });
  expect(manifest.publishConfig).toEqual(own.publishConfig);
  expect(manifest.scripts).toMatchObject({ lint: 'lint', build: expect.any(String) });
});
