import { accountCommands } from './account-commands.js';
import { appCommands } from './app-commands.js';
import { auditCommands } from './audit-command.js';
import { backup } from './backup-command.js';
import type { Command } from './command.js';
import { keyCommands } from './key-commands.js';
import { migrate } from './migrate-command.js';
import { operatorCommands } from './operator-commands.js';
import { secretCommands } from './secret-commands.js';
import { storageCommands } from './storage-commands.js';

/** Every command, in the order of the help. */
export const ALL_COMMANDS: readonly Command[] = [
  migrate,
  backup,
  ...appCommands,
  ...secretCommands,
  ...operatorCommands,
  ...keyCommands,
  ...accountCommands,
  ...auditCommands,
  ...storageCommands,
];
