import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../errors.js';
import type { Edit } from '../http/edit.js';
import type { OpenedBody } from '../upstream/forward.js';
import { batchForm } from './batch.js';
import { editBody } from './edit-body.js';
import { hideInJson } from './hide-in-json.js';
import { hideInParts } from './hide-in-parts.js';

const HIDINGS = { parts: hideInParts, json: hideInJson };

/**
 * Selects the edit that overwrites Authorization headers inside a batch request, whose body contains several HTTP
 * requests. Some clients repeat their service token in each of them, and no upstream may see that token. Returns
 * `undefined` for a request that is not a batch.
 */
export function findHiding(headers: IncomingHttpHeaders, path: string): (() => Edit) | undefined {
  const form = batchForm(headers, path);
  if (form === undefined) return undefined;
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw new ServiceError(
      'invalid_request',
      'The batch request has a Content-Encoding, so the proxy cannot search its body for credentials. Send the batch request without Content-Encoding.',
    );
  return HIDINGS[form];
}

/**
 * Overwrites the Authorization headers of the HTTP requests inside a batch request's body, because the upstream must
 * not see the caller's service token. The body is a Buffer or a stream.
 */
export function hideIn({ body, contentLength }: OpenedBody, hiding: Edit): OpenedBody {
  return { body: body && editBody(body, hiding), contentLength };
}
