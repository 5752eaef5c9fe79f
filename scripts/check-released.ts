import { releaseText } from '../packages/codegen/dist/release.js';
import { changedPackages } from './changed-packages.ts';
import { type Bumps, isEnough, joinBumps, readPendingBumps } from './changesets.ts';
import { changesSinceRelease, isAnythingReleased, neededBumps, readReleased } from './released.ts';
import { readManifests } from './workspace.ts';

// Checks that released tool versions are unchanged and callable, and that each change since the release has a
// changeset.

const HOW = 'npm run catalog:changeset writes those of the catalogue, npm run changeset any other';
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
        `${name} has version ${version}, but schemas/released.json, which a release writes, is not there`,
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
      const found = pending.get(name);
      return found === undefined
        ? `${name} has no changeset, and what changed asks for one that says ${bump}; ${HOW}`
        : `${name} has a changeset that says ${found}, and what changed asks for ${bump}; ${HOW}`;
    });
}

/** Compares the package versions in released.json with those in package.json, because a release writes both. */
function versionProblems(): readonly string[] {
  const versions = new Map(published.map(({ name, version }) => [name, version]));
  return Object.values(readReleased().connectors)
    .filter(({ package: name, version }) => versions.get(name) !== version)
    .map(
      ({ package: name, version }) =>
        `schemas/released.json has ${name} ${version}, its package.json ${versions.get(name)}`,
    );
}

function sourceBumps(): Bumps {
  const changed = changedPackages();
  if (changed === undefined)
    console.log('The history does not reach the last release: changesets of code are not looked at.');
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
      ? 'What was released stays as it is, and what changed has its changesets'
      : `Nothing is released yet, and each of ${published.length} packages has its changeset`,
  );
process.exitCode = problems.length === 0 ? 0 : 1;
