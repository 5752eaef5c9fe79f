import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { personById } from '../../person.js';
import { ApiError, invalidRequest } from './api-error.js';
import type { Surroundings } from './call.js';
import type { StoredFile } from './destination.js';
import { DOWNLOAD_PATH, MONITOR_PATH } from './links.js';
import { presentItem } from './present.js';
import type { ItemRecord } from './state.js';
import type { UploadSession } from './upload-sessions.js';

const SHAREPOINT = '/_sharepoint';

/**
 * Returns the base URL of signed links. The host name `localhost` makes it another origin, as in the real service, and
 * it accepts no tokens.
 */
export function sharepointOf(baseUrl: string): string {
  const url = new URL(baseUrl + SHAREPOINT);
  if (url.hostname === '127.0.0.1') url.hostname = 'localhost';
  return url.href;
}

export function addSharepoint(app: FastifyInstance, surroundings: Surroundings): void {
  app.get<{ Params: { token: string } }>(`${SHAREPOINT}${MONITOR_PATH}:token`, (request, reply) =>
    sendProgress(request, reply, surroundings),
  );
  app.get(SHAREPOINT + DOWNLOAD_PATH, (request, reply) => download(request, reply, surroundings));
  app.route({
    method: ['GET', 'PUT', 'POST', 'DELETE'],
    url: `${SHAREPOINT}/_api/v2.0/drives/:drive/items/:item/uploadSession`,
    handler: (request, reply) => handleSession(request, reply, surroundings),
  });
}

function sendProgress(
  request: FastifyRequest<{ Params: { token: string } }>,
  reply: FastifyReply,
  { monitors }: Surroundings,
): FastifyReply {
  const monitor =
    request.headers.authorization === undefined ? monitors.find(request.params.token) : undefined;
  if (monitor === undefined) return reply.code(401).type('text/html').send(UNAUTHORIZED);
  return reply
    .code(200)
    .send({ percentageComplete: 100, resourceId: monitor.resourceId, status: 'completed' });
}

const UNAUTHORIZED = '<!DOCTYPE html><html><title>401 UNAUTHORIZED</title><p>401 UNAUTHORIZED</p></html>';

function download(request: FastifyRequest, reply: FastifyReply, surroundings: Surroundings): FastifyReply {
  const item =
    request.headers.authorization === undefined ? itemOf(afterMark(request.url), surroundings) : undefined;
  if (item?.content === undefined) return reply.code(401).type('text/html').send(UNAUTHORIZED);
  reply
    .type(item.mimeType)
    .header('accept-ranges', 'bytes')
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(item.name)}`);
  return sendRange(reply, item.content, request.headers.range);
}

const afterMark = (url: string): string => url.slice(url.indexOf('?') + 1);

function itemOf(query: string, { links, states }: Surroundings): ItemRecord | undefined {
  const opened = links.open(query);
  const person = opened === undefined ? undefined : personById(opened.personId);
  if (opened === undefined || person === undefined) return undefined;
  return states.of(person).sites.get(opened.siteId)?.items.get(opened.itemId);
}

/** Sends a byte range of a file. A Range header that is malformed or has several ranges is ignored. */
function sendRange(reply: FastifyReply, content: Buffer, header: string | undefined): FastifyReply {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return reply.code(200).send(content);
  const size = content.length;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (first > last) return reply.code(416).header('content-range', `bytes */${size}`).send();
  return reply
    .code(206)
    .header('content-range', `bytes ${first}-${last}/${size}`)
    .send(content.subarray(first, last + 1));
}

function handleSession(
  request: FastifyRequest,
  reply: FastifyReply,
  surroundings: Surroundings,
): FastifyReply {
  const { sessions, context } = surroundings;
  try {
    if (request.headers.authorization !== undefined)
      throw new ApiError(401, 'unauthenticated', 'The address is authorized by itself.');
    const prefix = new URL(context.authorizationServer.baseUrl).pathname + SHAREPOINT;
    const session = sessions.find(request.url.slice(prefix.length));
    if (session === undefined) throw new ApiError(404, 'itemNotFound', 'The upload session was not found');
    return serve(request, reply, { session, surroundings });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return reply.code(error.status).send({ error: { code: error.code, message: error.message } });
  }
}

function serve(
  request: FastifyRequest,
  reply: FastifyReply,
  { session, surroundings }: { session: UploadSession; surroundings: Surroundings },
): FastifyReply {
  const { sessions } = surroundings;
  const finish = ({ item, isNew }: StoredFile) =>
    reply
      .code(isNew ? 201 : 200)
      .send(
        presentItem(session.destination.site, item, { person: session.person, links: surroundings.links }),
      );
  switch (request.method) {
    case 'DELETE':
      sessions.cancel(session);
      return reply.code(204).send();
    case 'POST':
      return finish(sessions.commit(session));
    case 'PUT': {
      const stored = sessions.receive(session, readRange(request));
      return stored === undefined ? reply.code(202).send(sessions.status(session)) : finish(stored);
    }
    default:
      return reply.code(200).send(sessions.status(session));
  }
}

function readRange({ headers, body }: FastifyRequest) {
  const match = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '');
  if (match === null) throw invalidRequest('The Content-Range header is missing or not valid.');
  const [first = 0, last = 0, total = 0] = match.slice(1).map(Number);
  return { first, last, total, bytes: Buffer.isBuffer(body) ? body : Buffer.alloc(0) };
}
