import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { newFolder, run } from './workplace.ts';

const ROOT = path.join(import.meta.dirname, '..', '..');

/**
 * Copies the working tree to a new repository and installs its dependencies. Rehearsed releases then change no file of
 * this repository.
 */
export async function cloneRepository(): Promise<string> {
  const clone = newFolder('clone');
  const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const file of stdout.split('\0').filter((name) => name !== '' && existsSync(path.join(ROOT, name)))) {
    mkdirSync(path.dirname(path.join(clone, file)), { recursive: true });
    copyFileSync(path.join(ROOT, file), path.join(clone, file));
  }
  await run('git', ['init', '--quiet', '--initial-branch=main'], { cwd: clone });
  await commit(clone, 'Before the release');
  await run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline'], { cwd: clone });
  return clone;
}

/** Commits all changes in the cloned repository. */
export async function commit(clone: string, message: string): Promise<void> {
  await run('git', ['stage', '--all'], { cwd: clone });
  const who = ['-c', 'user.name=rehearsal', '-c', 'user.email=rehearsal@localhost'];
  await run('git', [...who, 'commit', '--quiet', '--allow-empty', '--message', message], { cwd: clone });
}
