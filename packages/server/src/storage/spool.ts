import { mkdir, open, readdir, readFile, rename, unlink } from 'node:fs/promises';
import path from 'node:path';

/**
 * Store of encrypted texts, such as refreshed tokens, in files. It is used while the database is unavailable, so that
 * the texts are not lost if the process ends.
 */
export interface Spool {
  /**
   * Writes a text to the spool. Resolves when the text is flushed to the disk. A file never contains only a part of the
   * text.
   */
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Reads all texts in the spool, keyed by their names. */
  read(): Promise<ReadonlyMap<string, string>>;
}

const ENDING = '.sealed';

async function sync(file: string, flags: string, text?: string): Promise<void> {
  const handle = await open(file, flags, 0o600);
  try {
    if (text !== undefined) await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Resolves to `undefined` if the spool's file does not exist, because another process may have removed it. */
const orAbsent = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });

/** Opens the spool in a folder. The first write creates the folder if it is missing. */
export function openSpool(folder: string): Spool {
  const fileOf = (name: string) => path.join(folder, `${name}${ENDING}`);

  async function writeNew(name: string, text: string): Promise<true> {
    await sync(`${fileOf(name)}.new`, 'w', text);
    return true;
  }

  return {
    async write(name, text) {
      const isWritten = await orAbsent(writeNew(name, text));
      if (!isWritten) {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeNew(name, text);
      }
      await rename(`${fileOf(name)}.new`, fileOf(name));
      await sync(folder, 'r');
    },

    remove: async (name) => {
      await orAbsent(unlink(fileOf(name)));
    },

    async read() {
      const texts = new Map<string, string>();
      for (const file of (await orAbsent(readdir(folder))) ?? []) {
        if (!file.endsWith(ENDING)) continue;
        const text = await orAbsent(readFile(path.join(folder, file), 'utf8'));
        if (text !== undefined) texts.set(file.slice(0, -ENDING.length), text);
      }
      return texts;
    },
  };
}
