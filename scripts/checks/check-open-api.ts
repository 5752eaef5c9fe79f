import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readOpenApi } from '../generate/read-open-api.ts';
import { run } from '../run.ts';

// Lints the OpenAPI documents of the built service with Redocly. The rules are in redocly.yaml.

const CONFIG = path.join(import.meta.dirname, 'redocly.yaml');
// Disables Redocly's telemetry and its check for newer versions.
Object.assign(process.env, { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' });

const folder = mkdtempSync(path.join(tmpdir(), 'svc-lint-'));
try {
  const files = Object.entries(await readOpenApi()).map(([name, document]) => {
    const file = path.join(folder, `${name}.json`);
    // Writes each JSON value on a line of its own, because Redocly's findings quote whole lines.
    writeFileSync(file, JSON.stringify(JSON.parse(document), null, 2));
    return file;
  });
  const { code } = await run('redocly', ['lint', '--config', CONFIG, ...files]);
  process.exitCode = code;
} finally {
  rmSync(folder, { recursive: true });
}
