import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { validate } from 'dockerfile-utils';

// Lints each Dockerfile and compose file.

/**
 * Disabled rules of the linter for compose files. They concern the order of keys, quotes in `ports`, and services with
 * both `build` and `image`.
 */
const NOT_CHECKED = [
  'no-build-and-image',
  'require-quotes-in-ports',
  'service-keys-order',
  'services-alphabetical-order',
];
const OPTIONS = { exclude: ['**/node_modules/**'] };

const dockerfiles = globSync('packages/**/Dockerfile', OPTIONS);
const composeFiles = globSync('packages/**/compose.yaml', OPTIONS);
if (dockerfiles.length === 0 || composeFiles.length === 0)
  throw new Error(
    'There is no Dockerfile or no compose.yaml below packages/; correct the patterns of this check.',
  );

const problems = dockerfiles.flatMap((file) =>
  validate(readFileSync(file, 'utf8')).map(
    ({ range, message }) => `${file}:${range.start.line + 1}: ${message}`,
  ),
);
for (const problem of problems) console.error(problem);

const rules = NOT_CHECKED.flatMap((rule) => ['--disable-rule', rule]);
const { status } = spawnSync('dclint', [...composeFiles, '--max-warnings', '0', ...rules], {
  stdio: 'inherit',
});
process.exitCode = problems.length > 0 || status !== 0 ? 1 : 0;
