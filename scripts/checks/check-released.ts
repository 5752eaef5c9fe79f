import { releaseText } from '../../packages/codegen/dist/release.js';
import { changedPackages } from '../release/changed-packages.ts';
import { type Bumps, isEnough, joinBumps, readPendingBumps } from '../release/changesets.ts';
import { changesSinceRelease, isAnythingReleased, neededBumps, readReleased } from '../release/released.ts';
import { readManifests } from '../workspace.ts';

// Checks that released tool versions are unchanged and callable, and that each change since the release has a
// changeset.

const HOW = 'run npm run catalog:changeset for the catalogue, or npm run changeset for other changes';
const pending = readPendingBumps();
const published = [...readManifests().values()].filter((manifest) => !manifest.private);

/**
 * Returns the problems before the first release of this repository: every package needs version 0.0.0 and a changeset.
 */
function unreleasedProblems(): readonly string[] {
  const versions = published.filter(({ version }) => version !== '0.0.0');
  return [
    ...versions.map(
      ({ name, version }) =>
        `${name} has version ${version}, but schemas/released.json is missing; restore it from the last release`,
    ),
    ...published
      .filter(({ name }) => !pending.has(name))
      .map(({ name }) => `${name} has no changeset; ${HOW}`),
  ];
}

function bumpProblems(needed: Bumps): readonly string[] {
  return [...needed]
    .filter(([name, bump]) => !isEnough(pending.get(name), bump))
    .map(([name, bump]) => {
      const pendingBump = pending.get(name);
      return pendingBump === undefined
        ? `${name} has no changeset, but its changes need ${bump}; ${HOW}`
        : `${name} has a changeset with ${pendingBump}, but its changes need ${bump}; ${HOW}`;
    });
}

/** Compares the package versions in released.json with those in package.json, because a release writes both. */
function versionProblems(): readonly string[] {
  const versions = new Map(published.map(({ name, version }) => [name, version]));
  return Object.values(readReleased().connectors)
    .filter(({ package: name, version }) => versions.get(name) !== version)
    .map(
      ({ package: name, version }) =>
        `schemas/released.json has ${name} ${version}, but its package.json has ${versions.get(name)}; restore both from the release`,
    );
}

function sourceBumps(): Bumps {
  const changed = changedPackages();
  if (changed === undefined)
    console.log(
      'The Git history ends before the last release, so changesets of code are not checked. Fetch the full history.',
    );
  return new Map((changed ?? []).map((name) => [name, 'patch']));
}

function releasedProblems(): readonly string[] {
  const changes = changesSinceRelease();
  const broken = changes
    .map((connector) => ({ ...connector, changes: connector.changes.filter((change) => change.broken) }))
    .filter((connector) => connector.changes.length > 0);
  return [
    ...releaseText(broken),
    ...versionProblems(),
    ...bumpProblems(joinBumps([...changes.map(neededBumps), sourceBumps()])),
  ];
}

const problems = isAnythingReleased() ? releasedProblems() : unreleasedProblems();
for (const problem of problems) console.error(problem);
if (problems.length === 0)
  console.log(
    isAnythingReleased()
      ? 'Released versions are unchanged, and all changes have changesets'
      : `Nothing is released yet, and each of the ${published.length} packages has a changeset`,
  );
process.exitCode = problems.length === 0 ? 0 : 1;
