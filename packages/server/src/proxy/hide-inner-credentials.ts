import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../errors.js';
import type { OpenedBody } from '../upstream/forward.js';
import { batchForm } from './batch.js';
import { editBody } from './edit-body.js';
import { hideInJson } from './hide-in-json.js';
import { type Hiding, hideInParts } from './hide-in-parts.js';

const HIDINGS = { parts: hideInParts, json: hideInJson };

/**
 * Finds the function that overwrites credentials in a batch request. Some clients put the caller's token into each part, where no upstream
 * may see it. `undefined` for a body without inner requests.
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

/** Overwrites inner credentials of a body, in a Buffer or in a stream. */
export function hideIn({ body, contentLength }: OpenedBody, hiding: Hiding): OpenedBody {
  return { body: body && editBody(body, hiding), contentLength };
}
