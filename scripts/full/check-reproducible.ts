import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

// Checks that two builds of equal sources give identical bytes (rule S4 in security-rules.md).

const ROOT = path.join(import.meta.dirname, '../..');

/** Returns the hash of every built file, by path. */
function hashBuilt(): ReadonlyMap<string, string> {
  const files = globSync(['packages/*/dist/**/*', 'packages/connectors/*/dist/**/*'], { cwd: ROOT }).sort();
  return new Map(
    files
      .filter((file) => statSync(path.join(ROOT, file)).isFile())
      .map((file) => [
        file,
        createHash('sha256')
          .update(readFileSync(path.join(ROOT, file)))
          .digest('hex'),
      ]),
  );
}

function build(): void {
  const args = ['--skip-infer', 'run', 'build', '--force', '--output-logs=errors-only'];
  const { status } = spawnSync('turbo', args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error('The build failed. The lines above say why.');
}

build();
const first = hashBuilt();
build();
const second = hashBuilt();
const differing = [...new Set([...first.keys(), ...second.keys()])].filter(
  (file) => first.get(file) !== second.get(file),
);
for (const file of differing)
  console.error(`S4 broken: ${file} differs between two builds; remove what depends on time or order`);
if (first.size === 0) throw new Error('The build wrote no files. Check the build scripts of the packages.');
if (differing.length === 0) console.log(`S4 two builds gave identical bytes in ${first.size} files`);
process.exitCode = differing.length === 0 ? 0 : 1;
