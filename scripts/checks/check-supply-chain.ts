import { globSync } from 'node:fs';
import { readSbom } from '../release/sbom.ts';
import { type Manifest, readBundled, readIntegrities, readManifests, readText } from '../workspace.ts';

// Checks the supply-chain rules S1 to S4 of security-rules.md offline, such as pinned versions and verified hashes.
// packages/docs/contributing/releasing.md lists the online checks of a release.

const MOST_PACKAGES = 120;
const WEEK_MINUTES = 7 * 24 * 60;
const OLDEST_NODE = '>=22.18';
/** Dependencies that may run an install script, each with the reason. */
const MAY_BUILD: Readonly<Record<string, string>> = {};

const manifests = readManifests();
const published = [...manifests.values()].filter((manifest) => !manifest.private);
const integrities = readIntegrities();
const workspace = readText('pnpm-workspace.yaml');
const LOCK = 'pnpm-lock.yaml';
const lock = readText(LOCK);
/** Lock file of the tools that the release rehearsal installs. */
const TOOLS_LOCK = 'scripts/rehearse/tools/pnpm-lock.yaml';
/** Lock files for npm, which installs pnpm itself, the oldest supported Node.js, and other JavaScript runtimes. */
const PNPM_LOCK = 'scripts/pnpm/package-lock.json';
const RUNTIME_LOCKS = ['scripts/oldest-node/package-lock.json', 'scripts/runtimes/package-lock.json'];

const productionOf = ({ dependencies, optionalDependencies }: Manifest) => ({
  ...dependencies,
  ...optionalDependencies,
});

function inexactVersions(): string[] {
  return [...manifests].flatMap(([file, manifest]) =>
    Object.entries({ ...productionOf(manifest), ...manifest.devDependencies })
      .filter(
        ([, version]) => !version.startsWith('workspace:') && !/^\d+\.\d+\.\d+(-[0-9a-z.]+)?$/.test(version),
      )
      .map(([name, version]) => `${file}: ${name} is "${version}"; give an exact version`),
  );
}

function lockProblems(): string[] {
  const openIn = (file: string) => {
    const text = file === LOCK ? lock : readText(file);
    const resolved = [...text.matchAll(/^ {4}resolution: (.*)$/gm)].map(([, resolution = '']) => resolution);
    const open = resolved.filter(
      (resolution) => !/^\{integrity: sha512-[A-Za-z0-9+/]{86}==\}$/.test(resolution),
    );
    return open.map(
      (resolution) =>
        `${file}: "${resolution}" is not the hash of a registry package; install it from a registry`,
    );
  };
  const count = [...lock.matchAll(/^ {4}resolution: /gm)].length;
  return [
    ...[LOCK, TOOLS_LOCK].flatMap(openIn),
    ...(integrities.size === count
      ? []
      : [`${LOCK} has entries that this check cannot read; extend the check`]),
  ];
}

/** Reads the packages of a package-lock.json. Returns their integrity hashes by `name@version`. */
function readNpmLock(file: string): ReadonlyMap<string, string | undefined> {
  const { packages } = JSON.parse(readText(file)) as {
    packages: Readonly<Record<string, { version?: string; integrity?: string }>>;
  };
  const { '': _, ...installed } = packages;
  return new Map(
    Object.entries(installed).map(([folder, { version, integrity }]) => [
      `${folder.replace('node_modules/', '')}@${version}`,
      integrity,
    ]),
  );
}

function npmLockProblems(): string[] {
  const pnpm = readNpmLock(PNPM_LOCK);
  const manager = /"packageManager": "([^"]+)"/.exec(readText('package.json'))?.[1] ?? '';
  return [
    ...[...pnpm]
      .filter(([id, integrity]) => integrity === undefined || integrities.get(id) !== integrity)
      .map(([id]) => `${PNPM_LOCK}: the hash of ${id} differs from ${LOCK}; update one of them`),
    ...(pnpm.has(manager)
      ? []
      : [`${PNPM_LOCK} lacks ${manager}, the packageManager of package.json; update it`]),
    ...RUNTIME_LOCKS.flatMap((file) =>
      [...readNpmLock(file)]
        .filter(([, integrity]) => !integrity?.startsWith('sha512-'))
        .map(([id]) => `${file} has no SHA-512 hash of ${id}; write the lock file again`),
    ),
  ];
}

/** Matches a line of code or shell that downloads packages. */
const FETCHES = /\b(npx|dlx)\b|\bp?npm (install|add|update|exec|i)\b|'(install|add|update|exec|i|dlx)'/;

/**
 * Scripts of the release rehearsal that this check skips. They install packages as users do, so without a lock file.
 */
const AS_USERS = [
  'frameworks',
  'install-size',
  'installs',
  'overrides',
  'programs',
  'private-catalogue',
  'service',
  'signals',
].map((name) => `scripts/rehearse/${name}.ts`);
/** pnpm options with which it writes the lock file and downloads nothing. */
const LOCKS_ONLY = "'--lockfile-only', '--offline'";

/** Finds commands that install packages without checking the lock file. */
function looseInstalls(): string[] {
  const files = globSync(['.ci/*', '.github/workflows/*', 'scripts/**/*.{cjs,ts}', 'package.json'], {
    exclude: ['scripts/{checks,full}/check-*.ts', '**/node_modules/**', ...AS_USERS],
  });
  const lines = files.flatMap((file) =>
    readText(file)
      .split('\n')
      .map((line) => ({ file, line })),
  );
  const installing = lines.filter(({ line }) => FETCHES.test(line));
  if (installing.length === 0)
    return ['no command installs with --frozen-lockfile; this check no longer finds the commands'];
  return installing
    .filter(({ line }) => !line.includes('--frozen-lockfile') && !line.includes(LOCKS_ONLY))
    .map(
      ({ file, line }) =>
        `${file} installs packages without the lock file; add --frozen-lockfile: ${line.trim()}`,
    );
}

function ageProblems(): string[] {
  const minutes = Number(/^minimumReleaseAge: (\d+)$/m.exec(workspace)?.[1] ?? 0);
  const exempt = /^minimumReleaseAgeExclude:/m.test(workspace);
  return [
    ...(minutes >= WEEK_MINUTES
      ? []
      : [`pnpm-workspace.yaml: minimumReleaseAge is ${minutes} minutes; set at least ${WEEK_MINUTES}`]),
    ...(exempt
      ? ['pnpm-workspace.yaml exempts packages from minimumReleaseAge; delete minimumReleaseAgeExclude']
      : []),
  ];
}

function unreviewedBuilds(): string[] {
  const [, list = ''] = /^allowBuilds:\n((?: {2}.+\n)+)/m.exec(workspace) ?? [];
  const ALLOWED = ': true';
  const allowed = list
    .split('\n')
    .filter((line) => line.endsWith(ALLOWED))
    .map((line) => line.slice(0, -ALLOWED.length).replaceAll('"', '').trim());
  return [
    ...allowed
      .filter((name) => !(name in MAY_BUILD))
      .map((name) => `${name} may run install scripts, but MAY_BUILD has no reason for it; add one`),
    ...(/dangerouslyAllowAllBuilds: true/.test(workspace)
      ? ['every package may run install scripts; delete dangerouslyAllowAllBuilds']
      : []),
    ...(list === '' ? ['pnpm-workspace.yaml has no allowBuilds; add the list'] : []),
  ];
}

const bundled = new Map([...manifests].map(([file, { name }]) => [name, readBundled(file)]));
const sbomOf = (name: string) => readSbom(name, bundled.get(name) ?? []);
const sboms = new Map(published.map(({ name }) => [name, sbomOf(name)]));

/**
 * Finds packages that the build of a package contains although they are also its dependencies. A user's override of the
 * dependency would then not change the code that runs.
 */
function bundledAndInstalled(): string[] {
  return published.flatMap((manifest) =>
    (bundled.get(manifest.name) ?? [])
      .filter(({ name }) => name in productionOf(manifest))
      .map(({ name }) => `${manifest.name} bundles ${name} and depends on it; make it a dev dependency`),
  );
}

function largeTrees(): string[] {
  return [...sboms].flatMap(([name, { components }]) =>
    components.length > MOST_PACKAGES
      ? [
          `${name} depends on ${components.length} packages; the limit is ${MOST_PACKAGES}, so remove a dependency`,
        ]
      : [],
  );
}

const REASONS = 'packages/docs/contributing/dependencies.md';

/**
 * Finds production dependencies without a reason in the dependency table of the documentation: `| \`name\` | used in |
 * reason |`.
 */
function unexplained(): string[] {
  const rows = readText(REASONS)
    .split('\n')
    .flatMap((row) => {
      const [, name, owner, reason] = row.split('|').map((cell) => cell.trim());
      return name?.startsWith('`') && owner && reason ? name.replaceAll('`', '') : [];
    });
  const isBundled = (name: string) => [...bundled.values()].flat().some((each) => each.name === name);
  const used = new Set(
    published
      .flatMap((manifest) => [
        ...Object.keys(productionOf(manifest)),
        ...Object.keys(manifest.devDependencies ?? {}).filter(isBundled),
      ])
      .filter((name) => !name.startsWith('@svc/')),
  );
  return [
    ...[...used]
      .filter((name) => !rows.includes(name))
      .map((name) => `${REASONS} has no row for ${name}; add one with a reason`),
    ...rows
      .filter((name) => !used.has(name))
      .map((name) => `${REASONS} has a row for the unused package ${name}; delete it`),
  ];
}

const wrongEngines = () =>
  [...manifests].flatMap(([file, { engines }]) =>
    engines?.['node'] === OLDEST_NODE ? [] : [`${file}: set engines.node to "${OLDEST_NODE}"`],
  );

function incompleteSboms(): string[] {
  return [...sboms].flatMap(([packageName, { components }]) =>
    components.flatMap(({ group, name, version, externalReferences = [] }) => {
      const id = `${group === undefined ? '' : `${group}/`}${name}@${version}`;
      if (group === '@svc') return [];
      const hashed = externalReferences
        .flatMap(({ hashes = [] }) => hashes)
        .find(({ alg }) => alg === 'SHA-512');
      const integrity = `sha512-${Buffer.from(hashed?.content ?? '', 'hex').toString('base64')}`;
      return integrities.get(id) === integrity
        ? []
        : [`${packageName}: the SBOM has a missing or wrong hash of ${id}; write the lock file again`];
    }),
  );
}

const isSameAgain = () =>
  JSON.stringify(sbomOf('@svc/server')) === JSON.stringify(sboms.get('@svc/server'))
    ? []
    : ['two SBOMs of one lock file differ; make scripts/release/sbom.ts deterministic'];

const count = sboms.get('@svc/server')?.components.length;
const STEPS: readonly (readonly [rule: string, statement: string, find: () => readonly string[]])[] = [
  ['S1', 'every dependency has an exact version', inexactVersions],
  ['S1', `the lock file has a hash of each of its ${integrities.size} packages`, lockProblems],
  ['S1', 'npm installs the pnpm of the lock file, and each package by its hash', npmLockProblems],
  ['S1', 'every install command uses the lock file', looseInstalls],
  ['S1', 'a new release of a dependency is accepted only after a week', ageProblems],
  ['S1', 'only reviewed packages run install scripts', unreviewedBuilds],
  [
    'S2',
    `the service depends on ${count} packages, and no published package on more than ${MOST_PACKAGES}`,
    largeTrees,
  ],
  ['S2', 'no published package bundles a package and depends on it too', bundledAndInstalled],
  ['S2', 'each direct one has somebody who looks after it, and a reason', unexplained],
  ['S3', `every package says that it runs on Node ${OLDEST_NODE}`, wrongEngines],
  ['S4', 'the bill of materials of every published package has the hashes of the lock file', incompleteSboms],
  ['S4', 'and is the same again', isSameAgain],
];

for (const [rule, statement, find] of STEPS) {
  const problems = find();
  console.log(`${rule} ${problems.length === 0 ? statement : `broken: ${statement}`}`);
  for (const problem of problems) console.error(`   ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
}
