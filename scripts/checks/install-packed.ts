import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const INSTALL = 'install --offline --ignore-scripts --no-audit --no-fund'.split(' ');
const PROGRAM = `
import { calendar, ServiceError } from '@svc/calendar';
import { createClient, manage, ServiceError as OfCore } from '@svc/core';
manage(createClient());
if (typeof calendar !== 'function' || ServiceError !== OfCore) throw new Error('@svc/core is installed twice');
`;

/** The dependency of core, from the workspace, because the check also runs without a network. */
const KY = path.join(import.meta.dirname, '../../packages/core/node_modules/ky');

/**
 * Installs packed packages into a new project as the README says, and imports core and a connector package there.
 * Returns the problems.
 */
export function installPacked(folder: string, names: readonly string[]): readonly string[] {
  const project = path.join(folder, 'project');
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{ "private": true }');
  writeFileSync(path.join(project, 'program.mjs'), PROGRAM);
  const tarballs = names.map((name) => path.join(folder, name));
  const commands: [string, string[]][] = [
    ['npm', [...INSTALL, ...tarballs, KY]],
    [process.execPath, ['program.mjs']],
  ];
  for (const [program, args] of commands) {
    const { status, stderr } = spawnSync(program, args, { cwd: project, encoding: 'utf8' });
    if (status !== 0) return [`a project with the packed packages fails: ${stderr}`];
  }
  return [];
}
