import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

interface Manifest {
  name: string;
  private?: boolean;
}

const EXPECTED = ['package.json', 'README.md', 'LICENSE'];

function pack(folder: string, into: string): { tarball: string; files: string[] } {
  const { status, stdout, stderr } = spawnSync('pnpm', ['pack', '--json', '--pack-destination', into], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`pnpm pack failed in ${folder}: ${stderr}${stdout}`);
  const { filename, files } = JSON.parse(stdout) as { filename: string; files: { path: string }[] };
  return { tarball: filename, files: files.map((file) => file.path) };
}

async function problemsOf(folder: string, manifest: Manifest, into: string): Promise<string[]> {
  const { tarball, files } = pack(folder, into);
  const missing = EXPECTED.filter((file) => !files.includes(file)).map(
    (file) => `${file} is not in the package`,
  );
  const strays = files
    .filter((file) => /\.test\.|^src\/|^test\//.test(file))
    .map((file) => `${file} should not be in the package`);
  const bytes = readFileSync(tarball);
  const { messages, pkg } = await publint({
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
    strict: true,
  });
  const lint = messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
  console.log(`${manifest.name}: ${files.length} files, ${(bytes.length / 1024).toFixed(1)} kB`);
  return [...missing, ...strays, ...lint].map((problem) => `${manifest.name}: ${problem}`);
}

const into = mkdtempSync(path.join(tmpdir(), 'svc-pack-'));
const problems: string[] = [];
for (const folder of globSync(['packages/*', 'packages/connectors/*'])) {
  const file = path.join(folder, 'package.json');
  if (!existsSync(file)) continue;
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  if (!manifest.private) problems.push(...(await problemsOf(folder, manifest, into)));
}
rmSync(into, { recursive: true });

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
