import { runSteps, type Step } from './run.ts';

// Runs all checks of the repository that need no running service. They take seconds, so run them before each commit.

/** Check steps that read or write built files, so they cannot run in parallel. */
const OF_WHAT_IS_BUILT: readonly Step[] = [
  ['Generated files are up to date', 'node', 'scripts/bootstrap.cjs', 'generate', '--check'],
  ['Types', 'turbo', '--skip-infer', 'run', 'typecheck'],
  ['Types of scripts/', 'tsc', '-p', 'scripts/tsconfig.json'],
  ['Catalogue matches the specification', 'node', 'scripts/checks/check-catalogue.ts'],
  ['OpenAPI documents', 'node', 'scripts/checks/check-open-api.ts'],
  ['Pages of the documentation', 'node', 'scripts/checks/check-docs.ts'],
  ['Released versions and changesets', 'node', 'scripts/checks/check-released.ts'],
  ['Examples of the last release', 'node', 'scripts/checks/check-released-examples.ts'],
  ['Packages as packed', 'node', 'scripts/checks/check-packages.ts'],
  ['Clients as pages load them', 'node', 'scripts/checks/check-sizes.ts'],
];
const OF_SOURCES: readonly Step[] = [
  ['Released event types', 'node', 'scripts/checks/check-event-types.ts'],
  ['Lint and format', 'biome', 'check', '--error-on-warnings', '.'],
  ['Prose', 'node', 'scripts/checks/check-prose.ts'],
  ['Lengths of functions and files', 'node', 'scripts/checks/check-lengths.ts'],
  ['Regular expressions are linear', 'node', 'scripts/checks/check-expressions.ts'],
  ['No unused file, export or dependency', 'knip', '--no-progress', '--cache'],
  ['Mutants fit their sources', 'node', 'scripts/mutants/mutants.ts', '--check'],
  ['Dockerfile and compose file', 'node', 'scripts/checks/check-container.ts'],
  ['Supply chain', 'node', 'scripts/checks/check-supply-chain.ts'],
];

await Promise.all([OF_WHAT_IS_BUILT, OF_SOURCES].map((steps) => runSteps(steps, { isGrouped: true })));
