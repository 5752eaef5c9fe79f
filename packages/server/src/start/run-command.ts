import { existsSync } from 'node:fs';
import path from 'node:path';
import { openParts } from '../assembly/parts.js';
import type { CommandCall } from '../commands/parse-command.js';
import { printResult } from '../commands/print-result.js';
import { type Config, toConfig } from '../config/config.js';
import { ServiceError } from '../errors.js';
import { createStorageReport } from '../records/storage-report.js';
import { checkDataFolder } from '../storage/data-folder.js';

const CALLER = { actor: 'command', applicationId: null, requestId: null, address: null };

// Throws if the database does not exist, because a command must not create a new database in a wrong folder.
function checkDatabase({ databaseUrl, data }: Config): void {
  if (databaseUrl !== undefined || existsSync(path.join(data, 'svc.db'))) return;
  if (existsSync(data)) checkDataFolder(data);
  throw new ServiceError(
    'invalid_request',
    `There is no database in ${data}. Set SVC_DATA or DATABASE_URL as for the service, or run \`svc-server migrate\` first.`,
  );
}

/** Runs a command with the database and other components, without starting the service. */
export async function runCommand({ command, input, flags, asJson }: CommandCall): Promise<void> {
  // Exits silently when the reader of stdout, such as `head`, closes the pipe.
  process.stdout.on('error', () => process.exit());
  const config = toConfig(flags, process.env);
  const existing = !command.makesDatabase;
  if (existing) checkDatabase(config);
  const shared = command.needsService === 'any';
  const parts = await openParts({ config, shared, existing, inThread: false });
  const { authorization, copyDatabase, migrated, storage } = parts;
  const commandParts = {
    authorization,
    storageReport: createStorageReport({ storage }),
    retention: config.retention,
    copyDatabase,
    migrated,
  };
  try {
    await parts.callers.run(
      () => CALLER,
      async () => printResult(process.stdout, await command.run(commandParts, input), { asJson }),
    );
  } finally {
    await parts.close();
  }
}
