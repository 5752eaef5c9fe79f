import { spawn } from 'node:child_process';

/** Runs a command with the terminal shared and resolves to its exit code and to what it printed. */
export function run(command: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      process.stdout.write(text);
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Runs the steps in order, says how long each took, and stops at the first that fails. */
export async function runSteps(
  steps: readonly (readonly [title: string, command: string, ...args: string[]])[],
): Promise<string> {
  let printed = '';
  for (const [title, command, ...args] of steps) {
    const started = performance.now();
    process.stdout.write(`\n== ${title}\n`);
    const { code, output } = await run(command, args);
    if (code !== 0) {
      process.stdout.write(`\n== ${title}: failed\n`);
      process.exit(code);
    }
    printed += output;
    process.stdout.write(`== ${title}: ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
  }
  return printed;
}
