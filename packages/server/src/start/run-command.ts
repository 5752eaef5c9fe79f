import { existsSync } from 'node:fs';
import path from 'node:path';
import { openParts, type Parts } from '../assembly/parts.js';
import type { ClientCommand, DatabaseCommand } from '../commands/command.js';
import type { CommandCall } from '../commands/parse-command.js';
import { printResult } from '../commands/print-result.js';
import { type Config, toConfig } from '../config/config.js';
import type { EndSubscriptions } from '../connections/end-subscriptions.js';
import { ServiceError } from '../errors.js';
import { createStorageReport } from '../records/storage-report.js';
import { checkDataFolder } from '../storage/data-folder.js';
import { whenNpxEnds } from './when-npx-ends.js';

const CALLER = { actor: 'command', applicationId: null, requestId: null, address: null };

// Throws if the database does not exist, because a command must not create a new database in a wrong folder.
function checkDatabase({ databaseUrl, data }: Config): void {
  if (databaseUrl !== undefined || existsSync(path.join(data, 'svc.db'))) return;
  if (existsSync(data)) checkDataFolder(data);
  throw new ServiceError(
    'invalid_request',
    `There is no database in ${data}. Set SVC_DATA or DATABASE_URL to the value that the service uses, or run \`svc-server migrate\` first.`,
  );
}

/**
 * Creates the function that deletes the webhook subscriptions of an account that a command deletes. The function calls
 * a tool of the connector, so it loads the modules for tool calls when they are needed.
 */
function endSubscriptionsInCommand(parts: Parts, config: Config): EndSubscriptions {
  return async (...account) => {
    const { createEndSubscriptionsOfCommand } = await import('../assembly/subscriptions.js');
    return createEndSubscriptionsOfCommand(parts, config)(...account);
  };
}

/** Runs a command with the database and other components, without starting the service. */
async function runOnDatabase(
  command: DatabaseCommand,
  { input, asJson }: CommandCall,
  config: Config,
): Promise<void> {
  const existing = !command.makesDatabase;
  if (existing) checkDatabase(config);
  const shared = command.needsService === 'any';
  const parts = await openParts({ config, shared, existing, inThread: false });
  parts.useEndSubscriptions(endSubscriptionsInCommand(parts, config));
  const { core, copyDatabase, migrated, storage } = parts;
  const commandParts = {
    core,
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

/** Runs a command that calls a running service. Ctrl+C ends it; a second Ctrl+C ends it at once. */
async function runOnService(
  command: ClientCommand,
  { input, asJson }: CommandCall,
  { environmentUrl, egressProxies }: Config,
): Promise<void> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  whenNpxEnds(stop);
  const parts = { environmentUrl, egressProxies, env: process.env, signal: stopping.signal };
  await printResult(process.stdout, command.run(parts, input), { asJson });
}

/** Runs a command of the command line. */
export async function runCommand(call: CommandCall): Promise<void> {
  // Exits silently when the reader of stdout, such as `head`, closes the pipe.
  process.stdout.on('error', () => process.exit());
  const { command, flags } = call;
  const config = toConfig(flags, process.env);
  if (command.needsService === 'running') await runOnService(command, call, config);
  else await runOnDatabase(command, call, config);
}
