import { appCommands } from './apps.js';
import type { Command } from './command.js';
import { migrate } from './migrate.js';
import { secretCommands } from './secrets.js';

/** Every command, in the order of the help. */
export const ALL_COMMANDS: readonly Command[] = [migrate, ...appCommands, ...secretCommands];
