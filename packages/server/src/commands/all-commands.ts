import { accountCommands } from './accounts.js';
import { appCommands } from './apps.js';
import { auditCommands } from './audit.js';
import { backup } from './backup.js';
import type { Command } from './command.js';
import { keyCommands } from './keys.js';
import { migrate } from './migrate.js';
import { operatorCommands } from './operators.js';
import { secretCommands } from './secrets.js';
import { storageCommands } from './storage.js';

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
