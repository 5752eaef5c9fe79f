import { CatalogError } from '@svc/catalog';
import { loadGivenKeys } from '../assembly/open-storage.js';
import { readCatalog } from '../assembly/parts.js';
import { ALL_COMMANDS } from '../commands/all-commands.js';
import { groupHelp } from '../commands/command-help.js';
import { parseCommand } from '../commands/parse-command.js';
import { readConfig } from '../config/config.js';
import { settingsHelp } from '../config/settings.js';
import { UsageError } from '../config/usage-error.js';
import { messageForOperator, ServiceError } from '../errors.js';
import { inspectStart, refuseStart } from '../production/inspect-start.js';
import { prepareThread } from '../storage/sqlite-thread.js';
import { bulletList } from '../text/bullet-list.js';
import { printable } from '../text/printable.js';
import { runCommand } from './run-command.js';

const HELP = `svc-server: the agent connector service

Usage: svc-server [--sandbox | --check] [settings]
       svc-server <command> [arguments] [--json] [settings]

  --sandbox              Also start emulators of the upstreams, with one connection for each
  --check                List what prevents a start with SVC_PRODUCTION=1, then exit: with 1 if there is anything
  --help, -h             Show this text, or the help of a command
  --version, -v          Show the version

Commands:

${groupHelp(ALL_COMMANDS)}

Settings: each has an environment variable and, unless it is a secret, an option:

${settingsHelp()}
`;

const isExpected = (error: unknown): error is Error =>
  error instanceof ServiceError || error instanceof CatalogError || error instanceof UsageError;

/** Returns the message of an expected error, such as a wrong setting. Returns the stack trace of any other error. */
function explain(error: unknown): string {
  if (isExpected(error)) return messageForOperator(error);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Runs `work` and returns the lines of its error message. An error of the catalogue has one line per problem. */
async function failuresOf(work: () => unknown): Promise<readonly string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (isExpected(error)) return messageForOperator(error).split('\n');
    throw error;
  }
}

/** Implements `--check`: prints the problems that production refuses or warns about, without starting the service. */
async function check(args: readonly string[]): Promise<void> {
  const config = readConfig(args, process.env);
  const { refused: unsafe, doubtful } = await inspectStart(config);
  // A real start loads the catalogue and the root keys before anything else, so the check must load them too.
  const unusable = [() => readCatalog(config), () => loadGivenKeys(config)].map(failuresOf);
  const refused = [...unsafe, ...(await Promise.all(unusable)).flat()];
  if (refused.length > 0)
    console.log(
      printable(
        `The service cannot start with SVC_PRODUCTION=1. Fix these settings:\n${bulletList(refused)}`,
      ),
    );
  if (doubtful.length > 0) console.log(printable(`Check these settings:\n${bulletList(doubtful)}`));
  if (refused.length + doubtful.length === 0) console.log('The service can start with SVC_PRODUCTION=1.');
  process.exitCode = refused.length > 0 ? 1 : 0;
}

/**
 * Starts the service. The settings are checked before the large service modules are loaded, so that a refused start
 * fails fast.
 */
async function start(args: readonly string[], version: string): Promise<void> {
  const config = readConfig(args, process.env);
  const findings = await inspectStart(config);
  if (config.production) refuseStart(findings.refused);
  if (config.databaseUrl === undefined) prepareThread();
  const { startService } = await import('./start-service.js');
  return startService({ config, findings, version });
}

/** Replaces `svc-server` in usage lines and advice by the command that runs it in this installation. */
function asStarted(text: string): string {
  const { SVC_COMMAND: command } = process.env;
  return command ? text.replaceAll(/(Usage: |^ {7}|`)svc-server(?= )/gm, `$1${command}`) : text;
}

/** Short forms of flags. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['-h', '--help'],
  ['-v', '--version'],
]);

async function run(given: readonly string[], version: string): Promise<void> {
  const long = given.map((arg) => SHORT.get(arg) ?? arg);
  const args = long[0] === 'help' ? [...long.slice(1), '--help'] : long;
  const [first = '-'] = args;
  if (!first.startsWith('-')) {
    const parsed = parseCommand(args);
    return 'help' in parsed ? console.log(asStarted(parsed.help)) : runCommand(parsed);
  }
  if (args.includes('--help')) return console.log(asStarted(HELP));
  if (args.includes('--version')) return console.log(version);
  if (args.includes('--check')) return check(args.filter((arg) => arg !== '--check'));
  return start(args, version);
}

/**
 * Runs the command line: the service, or one of its commands. The exit code is 2 for wrong usage and 1 for any other
 * failure.
 */
export async function runProgram(args: readonly string[], version: string): Promise<void> {
  // NODE_TLS_REJECT_UNAUTHORIZED=0 would disable the certificate check of the database and of key management services.
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  // A closed output, such as that of `svc-server | head -1`, must not end the service. Output is then dropped.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
  try {
    await run(args, version);
  } catch (error) {
    console.error(printable(asStarted(explain(error))));
    process.exit(error instanceof UsageError ? 2 : 1);
  }
}
