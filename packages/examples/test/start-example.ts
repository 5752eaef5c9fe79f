import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect } from 'vitest';

/** A running example. */
export interface Example extends AsyncDisposable {
  /** Resolves to the first match in the output of the example. Rejects if the example ends without a match. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Writes a line to the standard input of the example. */
  readonly type: (line: string) => void;
  /** Resolves to the exit code of the example; `null` if a signal ended the process. */
  readonly exited: Promise<number | null>;
}

const folderOf = (name: string): string => path.join(import.meta.dirname, '..', name);

/** Starts a program in the folder of an example. A new process group lets `stop` end its child processes too. */
export function startExample(
  name: string,
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Example {
  const child = spawn(program, args, {
    cwd: folderOf(name),
    detached: true,
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      child.emit('output');
    });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  exited.catch(() => {});

  async function printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(output);
      if (match) return match;
      if (child.exitCode !== null) throw new Error(`The example ended without ${pattern}:\n${output}`);
      await Promise.race([once(child, 'output'), exited]);
    }
  }

  async function stop(): Promise<void> {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await exited;
  }

  return {
    printed,
    type: (line) => child.stdin.write(`${line}\n`),
    exited,
    [Symbol.asyncDispose]: stop,
  };
}

/** Installs the dependencies of an example that is not part of this repository's workspace, as its README says. */
export function install(name: string): void {
  const { status, stdout, stderr } = spawnSync('npm', ['run', 'setup'], {
    cwd: folderOf(name),
    encoding: 'utf8',
  });
  expect(status, stdout + stderr).toBe(0);
}
