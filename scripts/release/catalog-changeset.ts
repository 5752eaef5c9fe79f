import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ConnectorChanges } from '../../packages/codegen/dist/release.js';
import { isEnough, readPendingBumps } from './changesets.ts';
import { changesSinceRelease, neededBumps } from './released.ts';

// Writes a changeset for each connector that changed since the last release. The changeset names the packages to
// release: the connector's, the catalogue and the service.

const FOLDER = path.join(import.meta.dirname, '../../.changeset');
const HELP = `npm run catalog:changeset: writes .changeset/catalog-<connector>.md for each connector whose schemas changed
since the last release, unless the changesets already cover the change. A changeset that exists is never rewritten
as long as it covers the change. Users read its text, so edit it before you commit it.`;

const fileOf = ({ id }: ConnectorChanges): string => `catalog-${id}.md`;

function textOf(connector: ConnectorChanges): string {
  const bumps = [...neededBumps(connector)].map(([name, bump]) => `'${name}': ${bump}`);
  const relevant = connector.changes.filter(({ level }) => level !== 'internal');
  const lines = (relevant.length > 0 ? relevant : connector.changes).map(
    ({ where, reason }) => `- ${where}: ${reason}`,
  );
  return `---\n${bumps.join('\n')}\n---\n\n${[...new Set(lines)].join('\n')}\n`;
}

function writeAll(): void {
  const connectors = changesSinceRelease();
  mkdirSync(FOLDER, { recursive: true });
  const pending = readPendingBumps();
  for (const connector of connectors) {
    const isCovered = [...neededBumps(connector)].every(([name, bump]) => isEnough(pending.get(name), bump));
    if (!isCovered) writeFileSync(path.join(FOLDER, fileOf(connector)), textOf(connector));
    console.log(
      isCovered
        ? `${connector.id}: covered by a changeset; check that its text describes the change`
        : `${connector.id}: written: .changeset/${fileOf(connector)}`,
    );
  }
  if (connectors.length === 0) console.log('Nothing changed in schemas/ since the last release.');
}

if (process.argv.includes('--help')) console.log(HELP);
else writeAll();
