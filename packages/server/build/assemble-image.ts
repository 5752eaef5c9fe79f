import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

// Writes the file tree of the container image into a new folder: the service with its production dependencies, Node.js,
// and the system libraries that both load. The image has no shell and no package manager.
//
// node packages/server/build/assemble-image.ts <folder>

const PNPM = path.join(import.meta.dirname, '../../../scripts/node_modules/.bin/pnpm');
/** User id of the service in the image. No account of a usual host has it. */
const USER = 10_001;
const PASSWD = `root:x:0:0::/:/none\nsvc:x:${USER}:${USER}::/data:/none\n`;
const GROUP = `root:x:0:\nsvc:x:${USER}:\n`;
/** Libraries that glibc loads to resolve host names. `ldd` does not list them. */
const NAME_SERVICES = ['libnss_dns.so.2', 'libnss_files.so.2', 'libresolv.so.2'];
/** Files that only a compiler, a debugger or a developer reads. */
const NOT_AT_RUN_TIME = [
  '**/*.map',
  '**/*.d.{ts,mts,cts}',
  '**/better-sqlite3/{deps,src}',
  `**/better-sqlite3/prebuilds/!(${process.platform}-${process.arch})*`,
];

const [root] = process.argv.slice(2);
if (root === undefined) throw new Error('Name the folder for the image: assemble-image.ts <folder>');
const app = path.join(root, 'app');

/** Copies a file of this machine to the same path in the image. Follows links. */
function copyHere(file: string): void {
  const target = path.join(root ?? '', file);
  mkdirSync(path.dirname(target), { recursive: true });
  copyFileSync(realpathSync(file), target);
}

/** Returns the paths of the libraries that a program or library loads at its start. */
const librariesOf = (file: string): readonly string[] =>
  [...execFileSync('ldd', [file], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)].map(
    ([, found = '']) => found,
  );

rmSync(root, { recursive: true, force: true });
execFileSync(PNPM, ['--filter', '@svc/server', 'deploy', '--prod', '--legacy', path.resolve(app)], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
/** Finds files below the service's folder. The pattern `**` leaves out folders with a dot, such as pnpm's. */
const find = (patterns: readonly string[]): readonly string[] =>
  [app, path.join(app, 'node_modules/.pnpm')].flatMap((cwd) =>
    globSync([...patterns], { cwd }).map((file) => path.join(cwd, file)),
  );
for (const file of find(NOT_AT_RUN_TIME)) rmSync(file, { recursive: true, force: true });

const node = path.join(root, 'usr/bin/node');
mkdirSync(path.dirname(node), { recursive: true });
copyFileSync(realpathSync(process.execPath), node);
const libraries = new Set([node, ...find(['**/*.node'])].flatMap(librariesOf));
for (const file of libraries) copyHere(file);
const libc = [...libraries].find((file) => path.basename(file) === 'libc.so.6') ?? '';
for (const name of NAME_SERVICES) copyHere(path.join(path.dirname(libc), name));

mkdirSync(path.join(root, 'etc'));
writeFileSync(path.join(root, 'etc/passwd'), PASSWD);
writeFileSync(path.join(root, 'etc/group'), GROUP);
// Only the service reads its data. The Dockerfile gives the folder to the service's user.
mkdirSync(path.join(root, 'data'), { mode: 0o700 });
