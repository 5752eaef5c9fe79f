import type { Command } from './command.js';

const WIDTH = 44;

/** Returns the usage line of a command, such as `svc-server apps create <name> [--production]`. */
export function usageOf({ name, takes = [], options = {} }: Command): string {
  const flags = Object.entries(options).map(([flag, { value, multiple, isRequired }]) => {
    const one = value === undefined ? `--${flag}` : `--${flag} ${value}`;
    if (isRequired) return one;
    return multiple ? `[${one}]…` : `[${one}]`;
  });
  return ['svc-server', name, ...takes.map((argument) => `<${argument}>`), ...flags].join(' ');
}

const row = (left: string, right: string) => `  ${left.padEnd(WIDTH)} ${right}`;

/** Returns the list of commands, with one line per command. */
export const groupHelp = (commands: readonly Command[]): string =>
  commands
    .map(({ name, takes = [], summary }) =>
      row([name, ...takes.map((argument) => `<${argument}>`)].join(' '), summary),
    )
    .join('\n');

/** Returns the help text of a group of commands, such as `apps`. */
export const helpOfGroup = (group: string, commands: readonly Command[]): string =>
  `Usage: svc-server ${group} <command> [arguments] [--json] [settings]

${groupHelp(commands)}

\`svc-server <command> --help\` shows the options of a command.`;

const ALONGSIDE = {
  any: 'The command may run while the service runs.',
  stopped:
    'Stop the service first if its database is in the data folder. With DATABASE_URL, the service may run.',
};

const notesOf = (command: Command): string =>
  command.needsService === 'running'
    ? command.notes
    : `${ALONGSIDE[command.needsService]} The command uses the settings of the service, such as --data and DATABASE_URL. \`svc-server --help\` lists them.`;

export function commandHelp(command: Command): string {
  const { summary, options = {} } = command;
  const flags = Object.entries(options).map(([flag, { value, help }]) =>
    row(value === undefined ? `--${flag}` : `--${flag} ${value}`, help),
  );
  const common = [row('--json', 'Print the result as JSON'), row('--help', 'Show this text')];
  return `${summary}.

Usage: ${usageOf(command)}

${[...flags, ...common].join('\n')}

${notesOf(command)}`;
}
