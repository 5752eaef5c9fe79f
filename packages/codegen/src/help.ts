/** Output and exit code of a command: 0 for success, 1 for outdated or broken files, 2 for wrong usage. */
export interface CommandResult {
  readonly lines: readonly string[];
  readonly exitCode: 0 | 1 | 2;
}

/** Help text of `svc-codegen diff` and `svc-codegen release`. */
export const RELEASE_HELP = `Usage: svc-codegen diff [--schemas DIR] [--released FILE]
       svc-codegen release [--schemas DIR] [--out DIR] [--released FILE]

diff lists the changes in a folder of schemas since its last release, each as breaking, additive or internal.
It exits with 1 if a change breaks a promise of that release. release writes the current promises to the file.

  --schemas DIR    the folder of connector folders (default: schemas)
  --out DIR        the folder of the connectors' packages, from which it reads the versions (default: packages/connectors)
  --released FILE  the file of released promises (default: released.json in the folder of schemas)`;

/** Help text of `svc-codegen`. */
export const HELP = `svc-codegen: generates a typed npm package for each connector in a folder of schemas

Usage: svc-codegen [--schemas DIR] [--out DIR] [--scope NAME] [--only ID]... [--handlers FILE] [--check]
       svc-codegen new ID [--schemas DIR]

  --schemas DIR    the folder of connector folders (default: schemas)
  --out DIR        the folder that gets a package for each connector (default: packages/connectors)
  --scope NAME     the scope of the packages' names, such as @acme (default: @svc)
  --only ID        generate only this connector; may be repeated
  --handlers FILE  also write the types of the tools that the service implements in code
  --check          write nothing; list outdated files, and exit with 1 if there are any
  --help, -h       print this text

"new" writes a valid connector with one tool and one example, as a start for your own.

${RELEASE_HELP}`;
