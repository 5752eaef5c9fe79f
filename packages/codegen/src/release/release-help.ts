/** The help of `svc-codegen diff` and `svc-codegen release`. */
export const RELEASE_HELP = `Usage: svc-codegen diff [--schemas DIR] [--released FILE]
       svc-codegen release [--schemas DIR] [--out DIR] [--released FILE]

diff tells what changed in a folder of schemas since its last release, and whether that breaks, adds or neither;
it exits with 1 when a change takes back what was released. release writes down what is released now.

  --schemas DIR    the folder of connector folders (default: schemas)
  --out DIR        the folder of the connectors' packages, which have the versions (default: packages/connectors)
  --released FILE  what was released (default: released.json in the folder of schemas)`;
