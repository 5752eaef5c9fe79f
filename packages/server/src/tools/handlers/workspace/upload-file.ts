import { segment } from '@svc/catalog';
import { invalidField } from '../../../errors.js';
import type { Send } from '../../handler.js';
import { partialFailure } from '../../partial-failure.js';
import { idIn, type Json, listIn, objectIn } from '../json.js';
import { appendBatches } from './append.js';
import { DATA_SOURCE_VERSION, versionHeader } from './version.js';

const MAX_BYTES = 4 * 1024 * 1024;

interface FileInput {
  readonly filename: string;
  readonly content_type: string;
  readonly text?: string;
  readonly base64?: string;
  readonly page_id?: string;
}

/** Uploads a file in one part, and appends it to a page if the input names a page. */
export async function uploadFile(file: FileInput, send: Send): Promise<Json> {
  const { filename, content_type, page_id } = file;
  const content = contentOf(file);
  const post = async (path: string, rest: object) =>
    send({ method: 'POST', path, ...versionHeader(DATA_SOURCE_VERSION), ...rest });
  const created = await post('/v1/file_uploads', { body: { mode: 'single_part', filename, content_type } });
  const id = idIn(created, 'a file upload');
  const body = { file: { $file: content, name: filename, type: content_type } };
  const path = `/v1/file_uploads/${segment(id, 'id')}/send`;
  const uploaded = objectIn(await post(path, { encoding: 'multipart', body }), 'a file upload');
  const block = blockOf(id, content_type);
  if (page_id === undefined) return { ...uploaded, block };
  return { ...uploaded, block, block_id: await append(page_id, { id, block }, send) };
}

/** Encodes the file content in Base64. Throws invalid_input if the content is too large or not valid Base64. */
function contentOf({ text, base64 = '' }: FileInput): string {
  const field = text === undefined ? 'base64' : 'text';
  const bytes = text === undefined ? Buffer.from(base64, 'base64') : Buffer.from(text);
  if (bytes.length > MAX_BYTES)
    throw invalidField(
      field,
      'maxLength',
      `has ${bytes.length} bytes, but at most ${MAX_BYTES} can be uploaded; send a smaller file`,
    );
  const encoded = bytes.toString('base64');
  if (text === undefined && unpadded(encoded) !== unpadded(base64))
    throw invalidField(field, 'pattern', 'is not valid Base64; encode the bytes of the file again');
  return encoded;
}

const unpadded = (base64: string) => base64.replaceAll('=', '');

function blockOf(id: string, contentType: string): Json {
  const type = blockTypeOf(contentType);
  return { object: 'block', type, [type]: { type: 'file_upload', file_upload: { id } } };
}

function blockTypeOf(contentType: string): string {
  if (contentType === 'application/pdf') return 'pdf';
  const [kind = ''] = contentType.split('/');
  return ['image', 'video', 'audio'].includes(kind) ? kind : 'file';
}

async function append(
  blockId: string,
  { id, block }: { readonly id: string; readonly block: Json },
  send: Send,
): Promise<string> {
  const stopped = (error: unknown) =>
    partialFailure(
      error,
      `The file was uploaded as ${id}. The request that appends it to ${blockId} failed, or its response was not usable, so it is unknown whether the file was appended. List the children of "${blockId}" with workspace_block_children_list. Append the upload only if it is missing.`,
      {
        uploadId: id,
      },
    );
  const version = DATA_SOURCE_VERSION;
  const added = await appendBatches([[block]], send, { blockId, version, stopped });
  return idIn(listIn(added, 'results')[0], 'a list of blocks');
}
