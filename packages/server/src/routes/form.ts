import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';
import { limitBodies, SMALL_BODY } from '../listener/body-limits.js';
import { isPlainText } from '../text/plain-text.js';

export const FORM_TYPE = 'application/x-www-form-urlencoded';

function parseForm(body: string): Record<string, string> {
  const form: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(body)) {
    if (name in form)
      throw new ServiceError('invalid_request', 'The form has the same field twice. Send each field once.');
    if (!isPlainText(value))
      throw new ServiceError('invalid_request', 'The form contains a NUL character. Remove it.');
    form[name] = value;
  }
  return form;
}

/** Makes the routes of `app` accept only bodies with the content type of HTML forms. */
export function takeForms(app: FastifyInstance): void {
  limitBodies(app, SMALL_BODY);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, async (_request: FastifyRequest, body: string) =>
    parseForm(body),
  );
}
