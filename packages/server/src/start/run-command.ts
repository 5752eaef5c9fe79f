import { existsSync } from 'node:fs';
import path from 'node:path';
import { openParts } from '../assembly/parts.js';
import type { CommandCall } from '../commands/parse-command.js';
import { printResult } from '../commands/print-result.js';
import { type Config, toConfig } from '../config/config.js';
import { ServiceError } from '../errors.js';
import { createStorageReport } from '../records/storage-report.js';

const CALLER = { actor: 'command', applicationId: null, requestId: null, address: null };

// A command that finds nothing was pointed at the wrong folder: it must not leave a new database there.
function checkDatabase({ databaseUrl, data }: Config): void {
  if (databaseUrl !== undefined || existsSync(path.join(data, 'svc.db'))) return;
  throw new ServiceError(
    'invalid_request',
    `There is no database in ${data}; set SVC_DATA or DATABASE_URL to those of the service, or run \`svc-server migrate\` first.`,
  );
}

/** Runs a command on the service's own parts, without the service. */
export async function runCommand({ command, input, flags, asJson }: CommandCall): Promise<void> {
  // Who reads the output may stop reading, as `head` does.
  process.stdout.on('error', () => process.exit());
  const config = toConfig(flags, process.env);
  const existing = !command.makesDatabase;
  if (existing) checkDatabase(config);
  const shared = command.needsService === 'any';
  const parts = await openParts({ config, shared, existing, inThread: false });
  const given = { ...parts, keep: config.keep, storageReport: createStorageReport(parts) };
  try {
    await parts.callers.run(
      () => CALLER,
      async () => printResult(process.stdout, await command.run(given, input), { asJson }),
    );
  } finally {
    await parts.close();
  }
}
