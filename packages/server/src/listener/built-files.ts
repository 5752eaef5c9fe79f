import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** Content encodings in which the build stores each file. The smallest result comes first. */
export const ENCODINGS = ['br', 'gzip', 'identity'] as const;

export type Encoding = (typeof ENCODINGS)[number];

const SUFFIX_OF: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz', identity: '' };

const TYPE_OF: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** File of the dashboard build, uncompressed and compressed. */
export interface BuiltFile {
  readonly type: string;
  /** Digest of the uncompressed content. It is the same for every encoding. */
  readonly digest: string;
  readonly bodies: Readonly<Partial<Record<Encoding, Buffer>>> & { readonly identity: Buffer };
}

/** Files by their paths relative to the folder, with "/" as separator. */
export type BuiltFiles = ReadonlyMap<string, BuiltFile>;

/** Returns the first 132 bits of the SHA-256 digest, as base64url. */
export const digestOf = (content: Buffer | string): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 22);

/** Compresses a file whose content is generated when the service starts. */
function compress(type: string, text: string): BuiltFile {
  const identity = Buffer.from(text);
  const bodies = { br: brotliCompressSync(identity), gzip: gzipSync(identity), identity };
  return { type, digest: digestOf(identity), bodies };
}

async function readOne(file: string, type: string, there: ReadonlySet<string>): Promise<BuiltFile> {
  const identity = await readFile(file);
  const compressed = ENCODINGS.filter((each) => there.has(`${file}${SUFFIX_OF[each]}`)).map(
    async (each) => [each, await readFile(`${file}${SUFFIX_OF[each]}`)] as const,
  );
  const bodies = { ...Object.fromEntries(await Promise.all(compressed)), identity };
  return { type, digest: digestOf(identity), bodies };
}

async function readAll(folder: string, writePage: (html: string) => string): Promise<BuiltFiles> {
  // Treats a missing folder as empty: it does not exist before the first build.
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
  const all = new Map(await Promise.all(read));
  for (const [name, { type, bodies }] of all)
    if (name.endsWith('.html')) all.set(name, compress(type, writePage(bodies.identity.toString())));
  return all;
}

/**
 * Reads all files of a folder at the first request and caches them. Requests never access the file system, so no
 * request path can leave the folder. `writePage` transforms HTML pages.
 */
export function createBuiltFiles(
  folder: string,
  writePage: (html: string) => string = (html) => html,
): () => Promise<BuiltFiles> {
  let cached: Promise<BuiltFiles> | undefined;
  return async () => {
    cached ??= readAll(folder, writePage);
    const files = await cached;
    if (files.size === 0) cached = undefined;
    return files;
  };
}
