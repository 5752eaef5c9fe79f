import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type Api,
  answerErrors,
  type Incoming,
  openMethod,
  readJsonBody,
  sendOutcome,
} from '../../../google/method.js';
import type { Fields } from '../world.js';
import type { Call, Method } from './call.js';
import { checkMedia, type Media, readRelated, type TakenFiles } from './media.js';
import { continueUpload, openUpload, type Uploads } from './upload-sessions.js';

/** The API at its addresses for files, where what is said of a file is not always the body. */
export interface UploadApi extends Omit<Api<Call, Method>, 'read'> {
  /** Where the addresses of uploads begin. */
  readonly origin: string;
  read(incoming: Incoming, method: Method, sent: Fields): Call;
  uploads(): Uploads;
}

interface Receiving {
  readonly there: readonly Method[];
  readonly api: UploadApi;
}

/** Adds the addresses for files: they come alone, with what is said of them, or piece by piece. */
export function addUploads(app: FastifyInstance, methods: readonly Method[], api: UploadApi): void {
  const taking = methods.filter(({ takes }) => takes !== undefined);
  for (const [path, there] of Map.groupBy(taking, (one) => one.path))
    app.route({
      method: ['POST', 'PUT'],
      url: api.prefix + path,
      handler: (request, reply) => receive(request, reply, { there, api }),
    });
}

async function receive(
  request: FastifyRequest,
  reply: FastifyReply,
  { there, api }: Receiving,
): Promise<FastifyReply> {
  const uploadId = new URL(request.url, api.origin).searchParams.get('upload_id');
  // The pieces of an upload are put, whatever it began with.
  const method = uploadId === null ? there.find(({ verb }) => verb === request.method) : there[0];
  if (method?.takes === undefined) {
    reply.callNotFound();
    return reply;
  }
  const { takes } = method;
  return answerErrors(reply, api, async () => {
    const incoming = await openMethod(request, method, api);
    if (uploadId !== null) return continueUpload(api.uploads(), uploadId, { request, reply });
    if (incoming.query.get('uploadType') === 'resumable') {
      const call = api.read(incoming, method, readJsonBody(request));
      return openUpload({ call, method, takes }, incoming, { reply, origin: api.origin });
    }
    const { sent, media } = bodyOf(request, takes);
    const call = api.read(incoming, method, sent);
    return sendOutcome(reply, incoming.query, method.handle({ ...call, media }));
  });
}

function bodyOf({ body, headers }: FastifyRequest, takes: TakenFiles): { sent: Fields; media: Media } {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const type = headers['content-type'] ?? 'application/octet-stream';
  const isRelated = /^multipart\/related\b/i.test(type);
  const read = isRelated ? readRelated(bytes, type) : { sent: {}, media: { type, bytes } };
  checkMedia(read.media, takes);
  return read;
}
