import { invalid, notFound } from './api-error.js';
import type { Call, Endpoints } from './call.js';
import { listPage, pagingShapes, readQuery } from './paging.js';
import { minute } from './present.js';
import { number, oneOf, text } from './shape.js';
import type { FileUploadRecord } from './state.js';

const HOUR_MS = 3_600_000;
const MAX_PART_BYTES = 20 * 1024 * 1024;

export function addFileUploads(endpoints: Endpoints): void {
  endpoints.add('POST', '/file_uploads', createUpload);
  endpoints.add('GET', '/file_uploads', listUploads);
  endpoints.add('GET', '/file_uploads/:file_upload_id', (call) => ({
    ...present(uploadOf(call), call),
    request_id: call.requestId,
  }));
  endpoints.add('POST', '/file_uploads/:file_upload_id/send', sendPart);
  endpoints.add('POST', '/file_uploads/:file_upload_id/complete', completeUpload);
}

function createUpload(call: Call): unknown {
  call.checkBody({
    mode: oneOf('single_part', 'multi_part', 'external_url'),
    filename: text({ min: 1, max: 900 }),
    content_type: text({ min: 1 }),
    number_of_parts: number({ min: 1, max: 10_000, integer: true }),
    external_url: text({ min: 1, max: 2000 }),
  });
  const { body, state, now } = call;
  const mode = String(body.mode ?? 'single_part');
  if (mode === 'external_url')
    throw invalid('The sandbox does not emulate the mode "external_url". Use another mode.');
  const isInParts = mode === 'multi_part';
  for (const [name, isWanted] of [
    ['filename', isInParts],
    ['number_of_parts', isInParts],
  ] as const)
    if (isWanted && body[name] === undefined)
      throw invalid(`body failed validation: body.${name} should be defined, instead was \`undefined\`.`);
  const upload: FileUploadRecord = {
    ...state.stamp(call.bot),
    isInParts,
    filename: typeof body.filename === 'string' ? body.filename : null,
    contentType: typeof body.content_type === 'string' ? body.content_type : null,
    parts: new Map(),
    totalParts: isInParts ? Number(body.number_of_parts) : 1,
    status: 'pending',
    expiresAt: now + HOUR_MS,
  };
  state.fileUploads.set(upload.id, upload);
  return { ...present(upload, call), request_id: call.requestId };
}

function uploadOf({ state, id, now }: Call): FileUploadRecord {
  const upload = state.fileUploads.get(id('file_upload_id'));
  if (upload === undefined) throw notFound('file_upload', id('file_upload_id'));
  if (upload.status === 'pending' && upload.expiresAt <= now) upload.status = 'expired';
  return upload;
}

function assertPending(upload: FileUploadRecord): void {
  if (upload.status !== 'pending')
    throw invalid(`File upload must have a status of \`pending\`, but is \`${upload.status}\`.`);
}

async function sendPart(call: Call): Promise<unknown> {
  const upload = uploadOf(call);
  assertPending(upload);
  const form = await call.form();
  const file = form.get('file');
  if (!(file instanceof Blob))
    throw invalid('body failed validation: body.file should be defined, instead was `undefined`.');
  if (file.size > MAX_PART_BYTES) throw invalid('The part is larger than 20 MiB.');
  const part = upload.isInParts ? Number(form.get('part_number')) : 1;
  if (!Number.isInteger(part) || part < 1 || part > upload.totalParts)
    throw invalid(`part_number should be a whole number from 1 to ${upload.totalParts}.`);
  upload.parts.set(part, file.size);
  upload.filename ??= file instanceof File ? file.name : 'file';
  upload.contentType ??= file.type;
  if (!upload.isInParts) upload.status = 'uploaded';
  call.state.touch(upload, call.bot);
  return { ...present(upload, call), request_id: call.requestId };
}

function completeUpload(call: Call): unknown {
  const upload = uploadOf(call);
  assertPending(upload);
  if (!upload.isInParts) throw invalid('Only file uploads with the mode `multi_part` can be completed.');
  if (upload.parts.size < upload.totalParts)
    throw invalid(`Only ${upload.parts.size} of ${upload.totalParts} parts were sent. Send the others.`);
  upload.status = 'uploaded';
  call.state.touch(upload, call.bot);
  return { ...present(upload, call), request_id: call.requestId };
}

function listUploads(call: Call): unknown {
  const paging = readQuery(call, {
    ...pagingShapes,
    status: oneOf('pending', 'uploaded', 'expired', 'failed'),
  });
  const uploads = [...call.state.fileUploads.values()].filter(
    ({ status }) => paging.status === undefined || status === paging.status,
  );
  return listPage(call, uploads, {
    type: 'file_upload',
    paging,
    idOf: ({ id }) => id,
    present: (upload) => present(upload, call),
  });
}

function present(upload: FileUploadRecord, { version }: Call) {
  const { id, status, parts, isInParts, inTrash } = upload;
  const address = `https://api.notion.com/v1/file_uploads/${id}`;
  const length = [...parts.values()].reduce((sum, size) => sum + size, 0);
  return {
    object: 'file_upload',
    id,
    created_time: minute(upload.createdTime),
    created_by: { id: upload.createdBy, type: 'bot' },
    last_edited_time: minute(upload.lastEditedTime),
    in_trash: inTrash,
    ...(version.hasArchived ? { archived: inTrash } : {}),
    expiry_time: status === 'pending' ? minute(upload.expiresAt) : null,
    status,
    filename: upload.filename,
    content_type: upload.contentType,
    content_length: status === 'uploaded' ? length : null,
    ...(status === 'pending' ? { upload_url: `${address}/send` } : {}),
    ...(status === 'pending' && isInParts ? { complete_url: `${address}/complete` } : {}),
    ...(isInParts ? { number_of_parts: { total: upload.totalParts, sent: parts.size } } : {}),
  };
}
