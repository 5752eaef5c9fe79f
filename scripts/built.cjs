// Knows whether anything that a build reads or writes has changed since the last one. Plain CommonJS, as bootstrap.cjs is.
'use strict';
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const INPUTS = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'tsconfig.base.json', 'turbo.json'];
const ROOM = ['packages', 'schemas', 'scripts'];
/** What builds write, by its place in a package. */
const OUTPUTS = /^packages\/(?:connectors\/)?[^/]+\/dist\/|^packages\/catalog\/schemas\//;
const NO_FOLDERS = new Set(['node_modules', '.turbo', '.vitest', 'test']);
const NO_FILES = /\.test\.ts$|\/tested-rules\.json$/;

/** Every file below a folder with what the system notes when it is written: a time of change cannot be set back. */
function* filesIn(root, folder) {
  for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const name = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) yield name;
    else if (!NO_FOLDERS.has(entry.name) && !entry.name.startsWith('.mutant-')) yield* filesIn(root, name);
  }
}

function look(root) {
  const inputs = createHash('sha256');
  const outputs = createHash('sha256');
  const files = [...INPUTS, ...ROOM.flatMap((folder) => [...filesIn(root, folder)])];
  for (const file of files.filter((name) => !NO_FILES.test(name)).sort()) {
    const stats = fs.statSync(path.join(root, file), { bigint: true, throwIfNoEntry: false });
    const { size, mtimeNs, ctimeNs, ino } = stats ?? {};
    (OUTPUTS.test(file) ? outputs : inputs).update(`${file} ${size} ${mtimeNs} ${ctimeNs} ${ino}\n`);
  }
  return { inputs: inputs.digest('hex'), outputs: outputs.digest('hex') };
}

function read(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Builds unless nothing has changed since that was built the last time. A file that is written meanwhile is built by the next. */
function buildStale({ root, stampFile, what, build }) {
  const before = look(root);
  const stamps = read(stampFile) ?? {};
  const last = stamps[what];
  if (last !== undefined && last.inputs === before.inputs && last.outputs === before.outputs) return false;
  build();
  const { outputs } = look(root);
  // What else was built has other outputs now, or the same: the next asks anew.
  fs.writeFileSync(stampFile, JSON.stringify({ [what]: { inputs: before.inputs, outputs } }));
  return true;
}

module.exports = { buildStale };
