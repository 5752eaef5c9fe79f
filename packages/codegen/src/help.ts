/** Output and exit code of a command: 0 for success, 1 for outdated or broken files, 2 for wrong usage. */
export interface CommandResult {
  readonly lines: readonly string[];
  readonly exitCode: 0 | 1 | 2;
}

/** Help text of `svc-codegen diff` and `svc-codegen release`. */
export const RELEASE_HELP = `Usage: svc-codegen diff [--schemas DIR] [--released FILE]
       svc-codegen release [--schemas DIR] [--out DIR] [--released FILE]

diff tells what changed in a folder of schemas since its last release, and whether that breaks, adds or neither;
it exits with 1 when a change takes back what was released. release writes down what is released now.

  --schemas DIR    the folder of connector folders (default: schemas)
  --out DIR        the folder of the connectors' packages, which have the versions (default: packages/connectors)
  --released FILE  what was released (default: released.json in the folder of schemas)`;

/** Help text of `svc-codegen`. */
export const HELP = `svc-codegen: makes a typed npm package of every connector in a folder of schemas

Usage: svc-codegen [--schemas DIR] [--out DIR] [--scope NAME] [--only ID]... [--handlers FILE] [--check]
       svc-codegen new ID [--schemas DIR]

  --schemas DIR    the folder of connector folders (default: schemas)
  --out DIR        the folder that gets a package for each connector (default: packages/connectors)
  --scope NAME     the scope of the packages' names, such as @acme (default: @svc)
  --only ID        only this connector; may be repeated
  --handlers FILE  also write the types of the tools that the service implements by code
  --check          write nothing; list the files that are out of date and exit with 1
  --help           this text

"new" writes a folder to start from: a connector with one tool and its example, which loads as it is.

${RELEASE_HELP}`;
