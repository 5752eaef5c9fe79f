import { accountCommands } from './account-commands.js';
import { appCommands } from './app-commands.js';
import { auditCommands } from './audit-commands.js';
import type { Command } from './command.js';
import { keyCommands } from './key-commands.js';
import { listen } from './listen-command.js';
import { operatorCommands } from './operator-commands.js';
import { backup, migrate, storageCommands } from './storage-commands.js';

/** All commands of `svc-server`, in the order in which the help text lists them. */
export const ALL_COMMANDS: readonly Command[] = [
  migrate,
  backup,
  ...appCommands,
  ...operatorCommands,
  ...keyCommands,
  ...accountCommands,
  ...auditCommands,
  ...storageCommands,
  listen,
];
