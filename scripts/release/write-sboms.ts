import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readBundled, readManifests } from '../workspace.ts';
import { readSbom } from './sbom.ts';

// Writes a software bill of materials (SBOM) for every published package. A release contains these files.
const [folder = 'sbom'] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
for (const [manifestFile, { name, private: isPrivate }] of readManifests()) {
  if (isPrivate) continue;
  const file = path.join(folder, `${name.replace(/^@/, '').replace('/', '-')}.cdx.json`);
  const sbom = readSbom(name, readBundled(manifestFile));
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  console.log(`${file}: ${sbom.components.length} packages`);
}
