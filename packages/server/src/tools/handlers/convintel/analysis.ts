import { isJsonObject } from '@svc/catalog';
import { ServiceError } from '../../../errors.js';
import type { Send } from '../../handler.js';
import { objectIn } from '../workspace/json.js';

/** What the upstream makes of a recording: where it is, and the field that holds it. */
export interface Analysis {
  readonly path: string;
  readonly name: 'summary' | 'actionItems';
}

/** Reads one part of the analysis. That it is not there yet, or never will be, is an answer and not an error. */
export async function fetchAnalysis(
  { activityId }: { readonly activityId: string },
  send: Send,
  { path, name }: Analysis,
): Promise<unknown> {
  try {
    const answer = await send({ method: 'GET', path, query: { activityId } });
    const part = answer === null ? null : (objectIn(answer, `an object with "${name}"`)[name] ?? null);
    return { status: part === null ? 'none' : 'ready', [name]: part };
  } catch (error) {
    if (isBeingGenerated(error)) return { status: 'generating', [name]: null };
    throw error;
  }
}

function isBeingGenerated(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.details?.['status'] !== 404) return false;
  return /being generated/i.test(messageIn(error.details['body']));
}

/** The upstream has three forms of errors: `{ message }`, `{ error }` and `{ error: { message } }`; beside them, plain text. */
function messageIn(body: unknown): string {
  if (typeof body === 'string') return body;
  if (!isJsonObject(body)) return '';
  const { message, error } = body;
  return typeof message === 'string' ? message : messageIn(error);
}
