import { isObject } from '../../json.js';
import { invalid, notFound } from './api-error.js';
import { canonicalId, isUuid } from './shape.js';
import type { FileUploadRecord, WorkspaceState } from './state.js';

/** An upload that something can be made of: its bytes have arrived. */
export function uploadedFile(state: WorkspaceState, given: string): FileUploadRecord {
  const id = canonicalId(given);
  const upload = state.fileUploads.get(id);
  if (upload === undefined) throw notFound('file_upload', id);
  if (upload.status !== 'uploaded')
    throw invalid(`File upload must have a status of \`uploaded\`, but is \`${upload.status}\`.`);
  return upload;
}

/** Refuses a body that names, at any depth, a file that was not uploaded. */
export function assertUploaded(state: WorkspaceState, part: unknown): void {
  if (Array.isArray(part)) for (const item of part) assertUploaded(state, item);
  if (!isObject(part)) return;
  for (const [key, value] of Object.entries(part)) {
    if (key === 'file_upload' && isObject(value) && isUuid(value.id)) uploadedFile(state, value.id);
    else assertUploaded(state, value);
  }
}
