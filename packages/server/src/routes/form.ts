import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';
import { isPlainText } from '../plain-text.js';

export const FORM_TYPE = 'application/x-www-form-urlencoded';

const BODY_LIMIT = 8192;

function parseForm(body: string): Record<string, string> {
  const form: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(body)) {
    if (name in form) throw new ServiceError('invalid_request', `"${name}" was sent more than once.`);
    if (!isPlainText(value)) throw new ServiceError('invalid_request', `"${name}" holds a NUL character.`);
    form[name] = value;
  }
  return form;
}

/** Makes the routes of `app` take forms and nothing else. */
export function takeForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    FORM_TYPE,
    { parseAs: 'string', bodyLimit: BODY_LIMIT },
    async (_request: FastifyRequest, body: string) => parseForm(body),
  );
}
