import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './run.ts';

// Inside node_modules, so that the examples find the packages as a user's program would.
const FOLDER = 'scripts/node_modules/.readme';
const TSCONFIG = {
  extends: '../../../tsconfig.base.json',
  compilerOptions: { noEmit: true, types: ['node'] },
  include: ['*.ts'],
};

const readme = readFileSync('README.md', 'utf8');
const examples = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map((match) => match[1] ?? '');
if (examples.length === 0) throw new Error('README.md has no TypeScript example.');

mkdirSync(FOLDER, { recursive: true });
for (const [index, text] of examples.entries()) {
  writeFileSync(path.join(FOLDER, `example-${index + 1}.ts`), text);
}
writeFileSync(path.join(FOLDER, 'tsconfig.json'), JSON.stringify(TSCONFIG));
const { code } = await run('tsc', ['-p', FOLDER]);
rmSync(FOLDER, { recursive: true });

const scripts = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts);
const commands = [...readme.matchAll(/^npm (?:run )?([a-z]+)$/gm)].map((match) => match[1] ?? '');
const unknown = commands.filter((command) => !scripts.includes(command));
for (const command of unknown) console.error(`README.md shows "npm ${command}", which does not exist.`);
console.log(`${examples.length} examples compiled, ${commands.length} commands found`);
process.exitCode = code === 0 && unknown.length === 0 ? 0 : 1;
