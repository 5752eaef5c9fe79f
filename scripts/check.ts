import { runSteps } from './run.ts';

// What can be known without running the product: seconds, and the first thing to do before a commit.
await runSteps([
  ['Generated packages match schemas/', 'node', 'scripts/bootstrap.cjs', 'generate', '--check'],
  ['Catalogue matches the specification', 'node', 'scripts/check-catalogue.ts'],
  ['Lint and format', 'biome', 'check', '--error-on-warnings', '.'],
  ['Regular expressions are linear', 'node', 'scripts/check-expressions.ts'],
  ['Types', 'turbo', 'run', 'typecheck'],
  ['Types of scripts/', 'tsc', '-p', 'scripts/tsconfig.json'],
  ['Examples of the README', 'node', 'scripts/check-readme.ts'],
  ['Packages as packed', 'node', 'scripts/check-packages.ts'],
  ['Mutants fit their sources', 'node', 'scripts/mutants.ts', '--check'],
  ['Supply chain', 'node', 'scripts/check-supply-chain.ts'],
  ['The pnpm of the bootstrap', 'node', 'scripts/check-pinned-pnpm.ts'],
]);
