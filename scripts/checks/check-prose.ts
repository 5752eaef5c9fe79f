import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

// Finds unclear prose in the repository: comments that begin with a preposition or pronoun, long sentences in READMEs,
// and long commit subjects.

const MAX_SHARE = 0.05;
const MAX_WORDS = 35;
const MAX_SUBJECT = 72;
const HIDES_SUBJECT =
  'Of To By From In At With Without For As On Beside What Who Whose Whom Where Whether How When Why Which ' +
  'Whoever Whatever It They Those Its Their These Them';
/**
 * Matches a comment at the start of a source line: a block comment, or the first of several `//` lines. The group
 * contains the comment's text.
 */
const COMMENT = /(?<!^[ \t]*\/\/.*\n)^[ \t]*(?:\/\/+|\/\*+)[\s*]*(.*)/gm;
const SENTENCE_ENDS = /(?<=[.!?:])\s|\n\s*\n|\n\s*[-*] |\n\s*\d+\. |\n#|\|/;

const git = (...args: readonly string[]) =>
  spawnSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 26 }).stdout.trim();
const list = (...patterns: readonly string[]) =>
  git('ls-files', '--cached', '--others', '--exclude-standard', ...patterns).split('\n');

function checkComments(): string[] {
  const files = list('*.ts', '*.tsx', '*.mjs', '*.cjs', '*.js').filter(
    (file) => !file.includes('/generated/'),
  );
  const packages = Map.groupBy(files, (file) => /^(?:packages\/)?[^/]+/.exec(file)?.[0]);
  return [...packages].flatMap(([name, sources]) => {
    const all = sources.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(COMMENT)].map(([, text = '']) => ({ file, text })),
    );
    const hidden = all.filter(({ text }) => HIDES_SUBJECT.split(' ').includes(text.split(/\W/, 1)[0] ?? ''));
    if (hidden.length <= MAX_SHARE * all.length) return [];
    const fault = `${name}: ${hidden.length} of ${all.length} comments begin with a preposition or pronoun; name the subject first`;
    return [fault, ...hidden.slice(0, 20).map(({ file, text }) => `  ${file}: ${text}`)];
  });
}

function checkReadmes(): string[] {
  return list('*README.md').flatMap((file) => {
    const prose = readFileSync(file, 'utf8').replace(/^```[\s\S]*?^```/gm, '');
    const long = prose
      .split(SENTENCE_ENDS)
      .filter((sentence) => sentence.trim().split(/\s+/).length > MAX_WORDS);
    return long.map(
      (sentence) =>
        `${file}: a sentence has over ${MAX_WORDS} words; split it: ${sentence.trim().slice(0, 90)}…`,
    );
  });
}

/**
 * Checks the length of commit subjects since the base of a pull request or branch. On main, checks only the last
 * commit.
 */
function checkSubjects(): string[] {
  // biome-ignore lint/suspicious/noUndeclaredEnvVars: GitHub sets it, and turbo does not cache this check.
  const base = git('merge-base', 'HEAD', `origin/${process.env['GITHUB_BASE_REF'] || 'main'}`);
  const range = base && base !== git('rev-parse', 'HEAD') ? `${base}..HEAD` : '-1';
  const subjects = git('log', '--no-merges', '--format=%s', range).split('\n');
  const long = subjects.filter(({ length }) => length > MAX_SUBJECT);
  return long.map((subject) => `A commit subject has over ${MAX_SUBJECT} characters; shorten it: ${subject}`);
}

const faults = [...checkComments(), ...checkReadmes(), ...checkSubjects()];
if (faults.length > 0) console.error(faults.join('\n'));
process.exitCode = faults.length > 0 ? 1 : 0;
