import { pipeline, type Readable, Transform } from 'node:stream';
import type { Edit } from '../http/edit.js';

const toTransform = ({ take, rest }: Edit): Transform =>
  new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, take(chunk)),
    flush: (done) => done(null, rest()),
  });

/** Applies a streaming edit, such as link rewriting, to a request body. The body is a Buffer or a stream. */
export function editBody(body: Buffer | Readable, edit: Edit): Buffer | Readable {
  if (Buffer.isBuffer(body)) return Buffer.concat([edit.take(body), edit.rest()]);
  const edited = toTransform(edit);
  pipeline(body, edited, () => undefined);
  return edited;
}
