import {
  type Answer,
  AnswerError,
  type BoundRequest,
  bindValue,
  findErrorAnswer,
  InvalidInputError,
  type JsonObject,
  type JsonSchema,
  play,
  requestsOf,
  type ToolVersion,
} from '@svc/catalog';
import { ServiceError } from '../errors.js';
import { partialFailure } from './partial-failure.js';
import type { Exchange } from './send-request.js';

interface ValidCall {
  readonly version: ToolVersion;
  readonly input: JsonObject;
  readonly schema: JsonSchema;
}

/** Sends what a version is made of, one request after the other, and gives what the caller gets. */
export async function runRequests({ version, ...call }: ValidCall, exchange: Exchange): Promise<unknown> {
  const requests = requestsOf(version);
  const steps = play({ ...version, requests }, call);
  let done = 0;
  let status: number | undefined;
  try {
    let step = steps.next();
    while (!step.done) {
      const answered = await ask(step.value, { version, input: call.input, exchange });
      if ('data' in answered) return answered.data;
      done += 1;
      status = answered.status;
      step = steps.next(answered);
    }
    return step.value;
  } catch (error) {
    const hasChanged = requests.slice(0, done).some(({ method }) => method !== 'GET' && method !== 'HEAD');
    const told = toServiceError(error, status);
    throw hasChanged && requests.length > 1 ? halfDone(told, { done, of: requests.length }) : told;
  }
}

/** What the upstream answers, or the data of an error that the version takes for an answer. */
async function ask(
  request: BoundRequest,
  {
    version,
    input,
    exchange,
  }: { readonly version: ToolVersion; readonly input: JsonObject; readonly exchange: Exchange },
): Promise<Answer | { readonly data: unknown }> {
  try {
    return await exchange(request);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'upstream_failed') throw error;
    const { status, body } = error.details ?? {};
    const found = findErrorAnswer(version.answer, { status, body });
    if (found === undefined) throw error;
    return { data: bindValue(found.data, { input, answer: body }) };
  }
}

const halfDone = (error: unknown, progress: { readonly done: number; readonly of: number }): Error => {
  const message = `${progress.done} of ${progress.of} requests are done, and something has changed upstream. Look at it before the tool is called again`;
  return partialFailure(error, message, progress);
};

/** What bindings throw, as an error of the service. `status`: of the answer that they are about. */
export function toServiceError(error: unknown, status?: number): unknown {
  if (error instanceof InvalidInputError)
    return new ServiceError('invalid_input', error.message, { errors: error.errors }, { cause: error });
  if (error instanceof AnswerError) {
    // Where nothing was found the upstream has not failed, and clients would take its 200 for the status of the failure.
    const told = error.code === 'not_found' ? {} : { status };
    return new ServiceError(error.code, error.message, { ...told, body: error.answer }, { cause: error });
  }
  return error;
}
