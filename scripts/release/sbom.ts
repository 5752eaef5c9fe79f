import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import type { Bundled } from '../workspace.ts';

export interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly 'bom-ref': string;
  readonly externalReferences?: readonly {
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  }[];
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn?: readonly string[];
}

/** Software bill of materials (SBOM) in the CycloneDX format. */
export interface Sbom {
  readonly serialNumber?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly components: readonly Component[];
  readonly dependencies?: readonly Dependency[];
}

const by =
  <Item>(key: (item: Item) => string) =>
  (one: Item, other: Item): number =>
    key(one) < key(other) ? -1 : 1;

// Removes the timestamp and sorts the entries, because the generator's time and order would make two SBOMs of one
// release differ.
function normalize(sbom: Sbom): Sbom {
  const { timestamp: _, ...metadata } = sbom.metadata;
  const components = [...sbom.components].sort(by((component) => component['bom-ref']));
  const dependencies = (sbom.dependencies ?? [])
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: [...dependsOn].sort() }))
    .sort(by(({ ref }) => ref));
  const body = { ...sbom, serialNumber: undefined, metadata, components, dependencies };
  const hex = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  return { ...body, serialNumber: `urn:uuid:${uuid}` };
}

function runSbom(packageName: string, ...options: readonly string[]): Sbom {
  const args = ['sbom', '--sbom-format=cyclonedx', '--lockfile-only', ...options, '--filter', packageName];
  const { status, stdout, stderr } = spawnSync('pnpm', args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`pnpm sbom failed for ${packageName}: ${stderr}${stdout}`);
  return JSON.parse(stdout) as Sbom;
}

const idOf = ({ group, name, version }: Bundled & { readonly group?: string }): string =>
  `${group === undefined ? '' : `${group}/`}${name}@${version}`;

/**
 * Creates the SBOM of a package: its production dependencies, and the packages that its build contains. Uses only the
 * lock file, so that equal lock files give identical bytes.
 */
export function readSbom(packageName: string, bundled: readonly Bundled[]): Sbom {
  const production = runSbom(packageName, '--prod');
  if (bundled.length === 0) return normalize(production);
  const all = runSbom(packageName);
  const ids = new Set([...production.components, ...bundled].map(idOf));
  const components = all.components.filter((component) => ids.has(idOf(component)));
  if (components.length < ids.size)
    throw new Error(
      `The lock file lacks a package that ${packageName} bundles. Install the dependencies, then run this again.`,
    );
  const refs = new Set([...components, ...(production.dependencies ?? [])].map(refOf));
  const dependencies = (all.dependencies ?? [])
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  return normalize({ ...production, components, dependencies });
}

const refOf = (item: Component | Dependency): string => ('ref' in item ? item.ref : item['bom-ref']);
