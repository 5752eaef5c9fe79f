import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../errors.js';
import type { OpenedBody } from '../upstream/forward.js';
import { batchForm } from './batch.js';
import { editBody } from './edit-body.js';
import { hideInJson } from './hide-in-json.js';
import { type Hiding, hideInParts } from './hide-in-parts.js';

const HIDINGS = { parts: hideInParts, json: hideInJson };

/**
 * Selects the function that overwrites the Authorization headers inside a batch request. Some clients repeat the
 * caller's service token in each part, and no upstream may see that token. Returns `undefined` for a request that is
 * not a batch.
 */
export function findHiding(headers: IncomingHttpHeaders, path: string): (() => Hiding) | undefined {
  const form = batchForm(headers, path);
  if (form === undefined) return undefined;
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw new ServiceError(
      'invalid_request',
      'Batches are searched for credentials. Send them without Content-Encoding.',
    );
  return HIDINGS[form];
}

/** Overwrites the Authorization headers that a batch body contains. The body is a Buffer or a stream. */
export function hideIn({ body, contentLength }: OpenedBody, hiding: Hiding): OpenedBody {
  return { body: body && editBody(body, hiding), contentLength };
}
