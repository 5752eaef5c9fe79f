import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../run.ts';

// Checks that links in hand-written pages lead to existing files and headings. In pages outside the published client
// packages, also checks that examples compile, npm scripts exist and JSON parses.

// Folder for the extracted examples, inside node_modules, so that examples resolve packages as a user's program does.
const FOLDER = 'scripts/node_modules/.readme';
const TSCONFIG = {
  extends: '../../../tsconfig.base.json',
  compilerOptions: { noEmit: true, types: ['node'] },
  include: ['*.ts'],
};
/**
 * Matches pages whose examples this check skips: READMEs of packages whose own tests run the examples, changelogs,
 * changesets and GitHub templates.
 */
const TESTED = /^packages\/(?!docs|server|examples)|CHANGELOG|^\.changeset|^\.github/;

const listing = ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'];
const { stdout } = spawnSync('git', listing, { encoding: 'utf8' });
const pages = new Map(
  stdout
    .trim()
    .split('\n')
    .map((file) => [file, readFileSync(file, 'utf8')]),
);
const own = [...pages].filter(([file]) => !TESTED.test(file));
const blocksOf = (text: string, wanted: string): readonly string[] =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```/gms)].flatMap(([, language, block = '']) =>
    language === wanted ? block : [],
  );

async function compileExamples(): Promise<string[]> {
  mkdirSync(FOLDER, { recursive: true });
  for (const [file, text] of own)
    for (const [index, block] of blocksOf(text, 'ts').entries())
      writeFileSync(path.join(FOLDER, `${file.replaceAll(/\W/g, '-')}-${index + 1}.ts`), block);
  writeFileSync(path.join(FOLDER, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  const { code } = await run('tsc', ['-p', FOLDER]);
  rmSync(FOLDER, { recursive: true });
  return code === 0 ? [] : ['An example does not compile. Correct it; the lines above name the file.'];
}

function findUnknownScripts(): string[] {
  const scripts = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts);
  return own.flatMap(([file, text]) =>
    [
      ...text.matchAll(
        /(?:^|`)npm (?:run )?((?:test|check|start|demo|bench|generate|release|catalog)[a-z:]*)/gm,
      ),
    ]
      .map(([, script = '']) => script)
      .filter((script) => !scripts.includes(script))
      .map((script) => `${file}: the npm script ${script} does not exist; correct the name`),
  );
}

function findInvalidJson(): string[] {
  return own.flatMap(([file, text]) =>
    blocksOf(text, 'json').flatMap((block) => {
      try {
        JSON.parse(block);
        return [];
      } catch (error) {
        return [`${file}: correct this JSON (${String(error)}): ${block}`];
      }
    }),
  );
}

/** Returns the anchors of a page's headings, in the form that GitHub generates. */
const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );

function findBrokenLinks(): string[] {
  const handWritten = [...pages].filter(([file]) => !file.startsWith('packages/connectors/'));
  return handWritten.flatMap(([file, text]) =>
    [...text.replaceAll(/^```.*?^```/gms, '').matchAll(/\]\(([^)\s[\]]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => {
        if (/^https?:/.test(link)) return false;
        const [target = '', anchor] = link.split('#');
        const linked = target === '' ? file : path.join(path.dirname(file), target);
        const hasAnchor = anchor === undefined || anchorsOf(pages.get(linked) ?? '').includes(anchor);
        return !existsSync(linked) || !hasAnchor;
      })
      .map((link) => `${file}: the target of the link ${link} does not exist; correct the link`),
  );
}

const faults = [
  ...(await compileExamples()),
  ...findUnknownScripts(),
  ...findInvalidJson(),
  ...findBrokenLinks(),
];
for (const fault of faults) console.error(fault);
console.log(`${pages.size} pages checked`);
process.exitCode = faults.length === 0 ? 0 : 1;
