import { run, runSteps } from '../run.ts';

// Converts all changesets to the versions and changelogs of a release, and records the released tool versions in
// released.json.

const { code } = await run('node', ['scripts/checks/check-released.ts']);
if (code !== 0) process.exit(code);
await runSteps([
  ['Versions and changelogs', 'changeset', 'version'],
  ['Lock file', 'pnpm', 'install', '--lockfile-only', '--offline'],
  ['File of released promises', 'node', 'packages/codegen/dist/main.js', 'release'],
]);
