import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Part of the metafile of esbuild: the source files of the build. */
interface Metafile {
  readonly inputs: Readonly<Record<string, unknown>>;
}

interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
}

const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/**
 * Writes `dist/THIRD-PARTY-NOTICES.txt`, the names, versions and licence texts of all packages that the build contains,
 * and `dist/bundled-packages.json`, their names and versions. Throws for a package that names no licence.
 */
export function writeNotices(metafile: string): void {
  const { inputs } = JSON.parse(readFileSync(metafile, 'utf8')) as Metafile;
  const folders = Object.keys(inputs).flatMap((file) => PACKAGE_FOLDER.exec(file) ?? []);
  const packages = [...new Set(folders)].map(readBundled).sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  const notices = packages.map((each) => `${idOf(each)} (${each.license})\n\n${each.text.trim()}\n`);
  const title = 'This package contains the packages below, under their own licences.\n';
  writeFileSync('dist/THIRD-PARTY-NOTICES.txt', [title, ...notices].join(`\n${'-'.repeat(80)}\n\n`));
  const list = packages.map(({ name, version }) => ({ name, version }));
  writeFileSync('dist/bundled-packages.json', `${JSON.stringify(list, null, 2)}\n`);
}

const NO_TEXT = 'The package contains no licence text.';

const idOf = ({ name, version }: Bundled): string => `${name}@${version}`;

function readBundled(folder: string): Bundled {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  if (!license) throw new Error(`${name} names no licence, so the service must not contain it.`);
  const [file] = globSync('{LICEN[CS]E,COPYING}*', { cwd: folder });
  const text = file === undefined ? NO_TEXT : readFileSync(path.join(folder, file), 'utf8');
  return { name, version, license, text };
}
