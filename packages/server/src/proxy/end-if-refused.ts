import type { Connector } from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { createResponseBody, type ResponseBody } from '../http/response-body.js';
import type { HttpResponse } from '../http/send-http.js';
import { findErrorRule } from '../upstream/error-rule.js';
import type { UpstreamResponse } from '../upstream/forward.js';
import { readJson } from '../upstream/read-json.js';

/**
 * Maximum size in bytes of an upstream's error response that the proxy reads into memory. It looks there for an error
 * by which the upstream refuses the credential.
 */
const MAX_BYTES = 64 * 1024;

const IDLE = { pause: () => undefined, resume: () => undefined, abort: () => undefined };
const UNCOUNTED = { take: () => undefined };

function bodyOf(bytes: Buffer): ResponseBody {
  const { body, push, end } = createResponseBody(IDLE);
  if (bytes.length > 0) push(bytes);
  end();
  return body;
}

async function readSmall({ status, body }: HttpResponse): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  await body.drain((chunk) => {
    length += chunk.length;
    if (length > MAX_BYTES)
      throw new ServiceError(
        'upstream_failed',
        `The upstream refused the request with status ${status} and a response of more than 64 KiB, which is too large to read. Check at the upstream what the account may do, then retry.`,
        {
          status,
        },
      );
    chunks.push(chunk);
  });
  return Buffer.concat(chunks);
}

/**
 * Creates the function that decides by the connector's error rules whether a response refuses the account's credential.
 */
export function createEndIfRefused(connectors: ReadonlyMap<string, Connector>) {
  /**
   * Returns the upstream's response, unless an error rule of the connector says that the credential is permanently
   * refused. In that case, ends the account's access and throws `account_not_authorized`.
   */
  return async function endIfRefused(
    response: UpstreamResponse,
    { connector, method }: { readonly connector: string; readonly method: string },
  ): Promise<HttpResponse> {
    const { status, endAccess } = response;
    const rules = connectors.get(connector)?.errors ?? [];
    const mayEnd = rules.some((rule) => rule.endsCredential && rule.status === status);
    if (endAccess === undefined || !mayEnd) return response;
    const bytes = await readSmall(response);
    const body = await readJson({ ...response, body: bodyOf(bytes) }, method, UNCOUNTED).catch(() => null);
    const rule = findErrorRule(rules, status, body);
    if (rule?.endsCredential) await endAccess(rule.advice);
    return { ...response, body: bodyOf(bytes) };
  };
}

export type EndIfRefused = ReturnType<typeof createEndIfRefused>;
