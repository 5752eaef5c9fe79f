import { invalidField } from '../../../errors.js';
import type { Handlers } from '../../../generated/handlers.js';
import { cutAt, sliceText } from '../../../text/slice-text.js';
import type { HandlerContext } from '../../handler.js';
import { type Json, objectIn, withoutUndefined } from '../json.js';
import { itemPath } from './location.js';
import { type DocumentText, type Format, OFFICE_FORMATS, readOfficeText } from './office-text.js';
import { presentItem } from './present-item.js';
import { ZipError } from './read-zip.js';

const MAX_BYTES = 10 * 1024 * 1024;
const TEXT_FORMATS = new Set(
  'txt text md markdown csv tsv json jsonl ndjson xml html htm css js ts yaml yml toml ini log svg sql py ics vcf'.split(
    ' ',
  ),
);

const extensionOf = (name: unknown): string => /\.([^.]+)$/.exec(String(name))?.[1]?.toLowerCase() ?? '';

const isText = (extension: string, { mime_type: type }: Json): boolean =>
  TEXT_FORMATS.has(extension) || String(type ?? '').startsWith('text/');

/**
 * Decodes a text file: UTF-8, or UTF-16 with a byte order mark. All other bytes are decoded as Windows-1252, the
 * encoding of many older files.
 */
function decodeText(bytes: Buffer): DocumentText {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const utf16 = bytes[0] === 0xff ? 'utf-16le' : 'utf-16be';
  const decode = (encoding: string, fatal: boolean) => new TextDecoder(encoding, { fatal }).decode(bytes);
  if (isUtf16) return { text: decode(utf16, false), isTruncated: false };
  try {
    return { text: decode('utf-8', true), isTruncated: false };
  } catch {
    return { text: decode('windows-1252', false), isTruncated: false };
  }
}

const UNBLOCK = 'Choose another file, or ask an administrator of the site to allow the download.';

/**
 * Creates invalid_input for a file without text. The advice is to open the file at its web address, or `otherwise` if
 * it has none.
 */
function unreadable(
  problem: string,
  { file, field }: { readonly file: Json; readonly field: string },
  otherwise = 'Choose a text file of at most 10 MiB.',
) {
  const url = file['web_url'];
  const advice = typeof url === 'string' && url !== '' ? `Open it at ${url}.` : otherwise;
  return invalidField(field, 'type', `${problem} ${advice}`);
}

/** Throws invalid_input for a file that cannot be read as text. */
function checkReadable(file: Json, field: string): void {
  const { name, kind, mime_type: type = 'unknown', size } = file;
  const refuse = (problem: string) => unreadable(problem, { file, field });
  if (kind !== 'file') throw refuse(`is a ${kind}, but only a file has text.`);
  const extension = extensionOf(name);
  if (!OFFICE_FORMATS.has(extension) && !isText(extension, file))
    throw refuse(`is a file of the type ${type}, which cannot be read as text.`);
  if (typeof size === 'number' && size > MAX_BYTES)
    throw refuse('is a file of more than 10 MiB, which is too large to read.');
}

function partOf({ text, isTruncated }: DocumentText, start: number, most: number): Json {
  const end = cutAt(text, start + most);
  return withoutUndefined({
    text: sliceText(text, start, end),
    total_characters: text.length,
    is_truncated: isTruncated || undefined,
    next_start: end < text.length ? end : undefined,
  });
}

interface OfficeFile {
  readonly format: Format;
  readonly file: Json;
  readonly field: string;
  readonly context: Pick<HandlerContext, 'takeMemory'>;
}

async function readOffice(
  bytes: Buffer,
  { format, file, field, context }: OfficeFile,
): Promise<DocumentText> {
  try {
    return await readOfficeText(bytes, format, context.takeMemory);
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    throw unreadable(`is a document that cannot be read: ${error.message}.`, { file, field });
  }
}

/**
 * Downloads a file by the signed link in its metadata, and returns its text. The signed link is never returned, because
 * anyone who has the link can read the file.
 */
export const readDocument: Handlers['filesite_read_document'] = async (input, send, context) => {
  const { site_id: siteId, drive_id: driveId, item_id: itemId, path } = input;
  const field = path === undefined ? 'item_id' : 'path';
  const response = await send({ method: 'GET', path: itemPath({ siteId, driveId, itemId, path }) });
  const item = objectIn(response, 'a file');
  const file = presentItem(item);
  checkReadable(file, field);
  const link = item['@microsoft.graph.downloadUrl'];
  if (typeof link !== 'string')
    throw unreadable('is a file whose download the site blocks.', { file, field }, UNBLOCK);
  const bytes = await context.download(link, MAX_BYTES);
  const format = OFFICE_FORMATS.get(extensionOf(file['name']));
  const text =
    format === undefined ? decodeText(bytes) : await readOffice(bytes, { format, file, field, context });
  const { name, mime_type, size, web_url, last_modified } = file;
  return {
    ...withoutUndefined({ name, mime_type, size, web_url, last_modified }),
    ...partOf(text, input.start ?? 0, input.max_characters ?? 20_000),
  };
};
