import { randomBytes } from 'node:crypto';
import { isJsonObject } from '@svc/catalog';
import { internalError } from '../errors.js';
import type { UpstreamRequest } from '../upstream/request.js';

/** Encoded request body and the value of its Content-Type header. */
export interface EncodedBody {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** Encodes the body of an upstream request. Returns `undefined` if the request has no body. */
export function encodeBody({ body, encoding }: Pick<UpstreamRequest, 'body' | 'encoding'>) {
  if (body === undefined) return undefined;
  if (encoding === undefined || encoding === 'json') return jsonOf(body);
  if (encoding === 'file') return fileOf(body);
  if (encoding === 'related') return relatedOf(body);
  return encoding === 'form' ? formOf(body) : multipartOf(body);
}

const jsonOf = (value: unknown): EncodedBody => ({
  contentType: 'application/json',
  bytes: Buffer.from(JSON.stringify(value)),
});

/** Encodes a request body `{ $file, type }` as the raw bytes of the file. `$file` contains Base64. */
function fileOf(body: unknown): EncodedBody {
  const { $file: content, type } = isJsonObject(body) ? body : {};
  if (typeof content !== 'string')
    throw internalError(
      'A tool sends a file to the upstream, but its binding defines no content of the file.',
    );
  return { contentType: mediaTypeOf(type), bytes: Buffer.from(content, 'base64') };
}

const entriesOf = (body: unknown): readonly (readonly [string, unknown])[] =>
  Object.entries(isJsonObject(body) ? body : {}).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((item) => [name, item] as const) : [[name, value] as const],
  );

const textOf = (name: string, value: unknown): string => {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  throw internalError(
    `The binding of a tool is wrong, because the field "${name}" of its form is neither a value nor a list of values.`,
  );
};

function formOf(body: unknown): EncodedBody {
  const fields = entriesOf(body).map(([name, value]): [string, string] => [name, textOf(name, value)]);
  const bytes = Buffer.from(new URLSearchParams(fields).toString());
  return { contentType: 'application/x-www-form-urlencoded', bytes };
}

// Escapes the characters of a multipart field or file name that would end the quoted name or the header. Browsers
// escape these characters too.
const inQuotes = (name: string): string =>
  `"${name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')}"`;

/**
 * Encodes a multipart/form-data body (RFC 7578). A field `{ $file, name, type }` is a file, and `$file` contains its
 * bytes in Base64.
 */
function multipartOf(body: unknown): EncodedBody {
  const boundary = newBoundary();
  const parts = entriesOf(body).flatMap(([name, value]) => {
    const { head, bytes } = partOf(name, value);
    return [
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name=${inQuotes(name)}${head}\r\n\r\n`),
      bytes,
      CRLF,
    ];
  });
  const bytes = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes };
}

/**
 * Encodes a multipart/related body (RFC 2387), which contains for example the metadata of a file and the file's bytes.
 */
function relatedOf(body: unknown): EncodedBody {
  const boundary = newBoundary();
  const parts = (Array.isArray(body) ? body : [body]).flatMap((value) => {
    const isFile = isJsonObject(value) && value['$file'] !== undefined;
    const { contentType, bytes } = isFile ? fileOf(value) : jsonOf(value);
    return [Buffer.from(`--${boundary}\r\ncontent-type: ${contentType}\r\n\r\n`), bytes, CRLF];
  });
  const bytes = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  return { contentType: `multipart/related; boundary=${boundary}`, bytes };
}

const newBoundary = (): string => `svc-${randomBytes(18).toString('hex')}`;

const CRLF = Buffer.from('\r\n');
const mediaTypeOf = (type: unknown): string =>
  typeof type === 'string' && MEDIA_TYPE.test(type) ? type : 'application/octet-stream';

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/;

function partOf(name: string, value: unknown): { readonly head: string; readonly bytes: Buffer } {
  if (!isJsonObject(value) || typeof value['$file'] !== 'string')
    return { head: '', bytes: Buffer.from(textOf(name, value)) };
  const { $file: content, name: fileName, type } = value;
  const head = `; filename=${inQuotes(typeof fileName === 'string' ? fileName : 'file')}\r\ncontent-type: ${mediaTypeOf(type)}`;
  return { head, bytes: Buffer.from(content, 'base64') };
}
