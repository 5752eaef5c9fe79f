import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runSteps } from '../run.ts';
import { readManifests } from '../workspace.ts';

// Publishes every package whose version is missing in the npm registry. npm requires that a package's repository URL
// matches the CI run that signs it. The URL therefore comes from the CI's environment, so that forks can publish too.

const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
if (!server || !repository) {
  console.error(
    'GITHUB_SERVER_URL or GITHUB_REPOSITORY is missing. Set both to the location of the sources.',
  );
  process.exit(2);
}

for (const [file, manifest] of readManifests()) {
  if (manifest.private) continue;
  const directory = path.dirname(file);
  const from = { type: 'git', url: `git+${server}/${repository}.git`, directory };
  const text = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, `${JSON.stringify({ ...text, repository: from }, null, 2)}\n`);
}
await runSteps([
  ['Build', 'turbo', '--skip-infer', 'run', 'build', '--output-logs=errors-only'],
  ['Packages as packed', 'node', 'scripts/checks/check-packages.ts'],
  ['Publish', 'changeset', 'publish'],
]);
