#!/usr/bin/env node
import { runCommand } from './run-command.js';

const { lines, exitCode } = await runCommand(process.argv.slice(2));
console.log(lines.join('\n'));
process.exitCode = exitCode;
