import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../errors.js';
import type { OpenedBody } from '../upstream/forward.js';
import { batchForm } from './batch.js';
import { editBody } from './edit-body.js';
import { hideInJson } from './hide-in-json.js';
import { type Hiding, hideInParts } from './hide-in-parts.js';

const HIDINGS = { parts: hideInParts, json: hideInJson };

/**
 * What hides the credentials that requests inside of a request carry, as some clients put theirs into each part of a batch:
 * it is the token of the caller, and no upstream's. `undefined` for a body that holds no requests.
 */
export function findHiding(headers: IncomingHttpHeaders, path: string): (() => Hiding) | undefined {
  const form = batchForm(headers, path);
  if (form === undefined) return undefined;
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw new ServiceError(
      'invalid_request',
      'A batch is looked through for credentials: send it without Content-Encoding.',
    );
  return HIDINGS[form];
}

/** The body with its inner credentials hidden, whether it is held or comes. */
export function hideIn({ body, contentLength }: OpenedBody, hiding: Hiding): OpenedBody {
  return { body: body && editBody(body, hiding), contentLength };
}
