import { existsSync, readFileSync } from 'node:fs';

// `prepack` of a published package: what its package.json promises, and what is named here, has to be built.

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, unknown>;

const filesIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(filesIn) : [];
};

const promised = [manifest['exports'], manifest['bin'], manifest['imports'], process.argv.slice(2)].flatMap(
  filesIn,
);
const missing = [...new Set(promised)].filter((file) => !existsSync(file));
for (const file of missing)
  console.error(`${manifest['name']} cannot be packed before it is built: ${file} is missing`);
process.exitCode = missing.length === 0 ? 0 : 1;
