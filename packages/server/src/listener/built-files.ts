import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** How a file can be sent, and how what the build made of it for that ends. The best first. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const;

export type Encoding = (typeof ENCODINGS)[number];

const ENDING_OF: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz', identity: '' };

const TYPE_OF: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** A file as the build wrote it, whole and compressed. */
export interface BuiltFile {
  readonly type: string;
  /** Of what it says, however it is sent. */
  readonly digest: string;
  readonly bodies: Readonly<Partial<Record<Encoding, Buffer>>> & { readonly identity: Buffer };
}

/** By their paths below the folder, with "/" between its parts. */
export type BuiltFiles = ReadonlyMap<string, BuiltFile>;

/** As much of it as tells any two contents apart. */
export const digestOf = (content: Buffer | string): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 22);

async function readOne(file: string, type: string, there: ReadonlySet<string>): Promise<BuiltFile> {
  const identity = await readFile(file);
  const compressed = ENCODINGS.filter((each) => there.has(`${file}${ENDING_OF[each]}`)).map(
    async (each) => [each, await readFile(`${file}${ENDING_OF[each]}`)] as const,
  );
  const bodies = { ...Object.fromEntries(await Promise.all(compressed)), identity };
  return { type, digest: digestOf(identity), bodies };
}

async function readAll(folder: string): Promise<BuiltFiles> {
  // Nobody has built it.
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const there = new Set(names.map((name) => path.join(folder, name)));
  const files = names.flatMap((name) => {
    const type = TYPE_OF[path.extname(name)];
    return type === undefined ? [] : [{ name, type }];
  });
  const read = files.map(
    async ({ name, type }) =>
      [name.replaceAll(path.sep, '/'), await readOne(path.join(folder, name), type, there)] as const,
  );
  return new Map(await Promise.all(read));
}

/** The files of a folder, read when the first of them is asked for, and kept: nothing that is asked for becomes a path. */
export function createBuiltFiles(folder: string): () => Promise<BuiltFiles> {
  let kept: Promise<BuiltFiles> | undefined;
  return async () => {
    kept ??= readAll(folder);
    const files = await kept;
    if (files.size === 0) kept = undefined;
    return files;
  };
}
