import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

/** Error of a ZIP archive that is damaged, encrypted or too large. The message gives the reason. */
export class ZipError extends Error {}

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const MAX_ENTRIES = 5000;
const MAX_INFLATED_BYTES = 16 * 1024 * 1024;

interface Entry {
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly compressed: number;
  readonly inflated: number;
  readonly offset: number;
}

function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT_BYTES);
  for (let at = bytes.length - END_BYTES; at >= first; at -= 1) if (bytes.readUInt32LE(at) === END) return at;
  throw new ZipError('its content is not a ZIP archive, but every Office document is one');
}

function readEntry(bytes: Buffer, at: number): { readonly entry: Entry; readonly next: number } {
  if (bytes.readUInt32LE(at) !== ENTRY) throw new ZipError('the list of files in its ZIP archive is damaged');
  const nameEnd = at + 46 + bytes.readUInt16LE(at + 28);
  const entry = {
    name: bytes.toString('utf8', at + 46, nameEnd),
    isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
    method: bytes.readUInt16LE(at + 10),
    compressed: bytes.readUInt32LE(at + 20),
    inflated: bytes.readUInt32LE(at + 24),
    offset: bytes.readUInt32LE(at + 42),
  };
  return { entry, next: nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32) };
}

function readDirectory(bytes: Buffer): readonly Entry[] {
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  if (count > MAX_ENTRIES) throw new ZipError(`its ZIP archive has more than ${MAX_ENTRIES} files`);
  const entries: Entry[] = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    const { entry, next } = readEntry(bytes, at);
    entries.push(entry);
    at = next;
  }
  return entries;
}

const inflate = promisify(inflateRaw);

async function contentOf(bytes: Buffer, entry: Entry): Promise<Buffer> {
  if (entry.isEncrypted) throw new ZipError('it is encrypted');
  if (bytes.readUInt32LE(entry.offset) !== LOCAL) throw new ZipError('a file in its ZIP archive is damaged');
  const begin =
    entry.offset + 30 + bytes.readUInt16LE(entry.offset + 26) + bytes.readUInt16LE(entry.offset + 28);
  const data = bytes.subarray(begin, begin + entry.compressed);
  if (entry.method === 0) return data;
  if (entry.method !== 8) throw new ZipError('a file in its ZIP archive has an unknown compression');
  // The declared size of a ZIP entry limits its output, so that an entry with a false size cannot use more memory than
  // was reserved.
  return inflate(data, { maxOutputLength: Math.max(1, entry.inflated) });
}

async function readWanted(bytes: Buffer, { isWanted, take }: ReadZip): Promise<Map<string, string>> {
  const entries = readDirectory(bytes).filter(({ name }) => isWanted(name));
  const inflated = entries.reduce((sum, entry) => sum + entry.inflated + entry.compressed, 0);
  if (inflated > MAX_INFLATED_BYTES)
    throw new ZipError('it has more than 16 MiB of content when unpacked; use a smaller document');
  take(inflated);
  const texts = new Map<string, string>();
  for (const entry of entries) texts.set(entry.name, (await contentOf(bytes, entry)).toString('utf8'));
  return texts;
}

export interface ReadZip {
  readonly isWanted: (name: string) => boolean;
  /** Reserves memory for the unpacked bytes, before any ZIP entry is unpacked. */
  readonly take: (bytes: number) => void;
}

const isDamage = (error: unknown): boolean =>
  error instanceof RangeError || (error instanceof Error && 'code' in error && String(error.code)[0] === 'Z');

/**
 * Unpacks the selected entries of a ZIP archive as UTF-8 strings. Checks the sizes before it unpacks. Throws ZipError.
 */
export async function readZip(bytes: Buffer, options: ReadZip): Promise<Map<string, string>> {
  try {
    return await readWanted(bytes, options);
  } catch (error) {
    // Damage of the ZIP file becomes ZipError. Buffers throw RangeError for offsets outside the file. zlib errors have
    // a code that begins with Z.
    throw isDamage(error) ? new ZipError('it is damaged', { cause: error }) : error;
  }
}
