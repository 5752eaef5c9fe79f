import {
  type BoundRequest,
  bindValue,
  findErrorResponse,
  InvalidInputError,
  type JsonObject,
  type JsonSchema,
  type ParsedResponse,
  play,
  ResponseError,
  requestsOf,
  type ToolVersion,
} from '@svc/catalog';
import { isFinal, ServiceError } from '../errors.js';
import { partialFailure } from './partial-failure.js';
import type { Exchange } from './send-request.js';

interface ValidCall {
  readonly version: ToolVersion;
  readonly input: JsonObject;
  readonly schema: JsonSchema;
}

/** Sends the upstream requests of a tool version in order. Resolves to the data of the tool result. */
export async function runRequests({ version, ...call }: ValidCall, exchange: Exchange): Promise<unknown> {
  const requests = requestsOf(version);
  const steps = play({ ...version, requests }, call);
  let done = 0;
  let status: number | undefined;
  try {
    let step = steps.next();
    while (!step.done) {
      const response = await sendStep(step.value, { version, input: call.input, exchange });
      if ('data' in response) return response.data;
      done += 1;
      status = response.status;
      step = steps.next(response);
    }
    return step.value;
  } catch (error) {
    const hasChanged = requests.slice(0, done).some(({ method }) => method !== 'GET' && method !== 'HEAD');
    const failure = fromCatalogError(error, status);
    throw hasChanged && requests.length > 1 ? halfDone(failure, { done, of: requests.length }) : failure;
  }
}

/**
 * Sends one upstream request of a tool. Resolves to the response. For an upstream error that the tool version declares
 * as a result, resolves to the data of that result. Throws all other errors.
 */
async function sendStep(
  request: BoundRequest,
  {
    version,
    input,
    exchange,
  }: { readonly version: ToolVersion; readonly input: JsonObject; readonly exchange: Exchange },
): Promise<ParsedResponse | { readonly data: unknown }> {
  try {
    return await exchange(request);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'upstream_failed' || isFinal(error)) throw error;
    const { status, body } = error.details ?? {};
    const errorData = findErrorResponse(version.response, { status, body });
    if (errorData === undefined) throw error;
    return { data: bindValue(errorData.data, { input, response: body }) };
  }
}

const halfDone = (error: unknown, progress: { readonly done: number; readonly of: number }): Error => {
  const message = `${progress.done} of ${progress.of} requests of this call succeeded and changed data at the upstream. The next request failed. Check the data before you call the tool again.`;
  return partialFailure(error, message, progress);
};

/**
 * Converts an error of building an upstream request or of reading its response to a service error. Returns other errors
 * unchanged. `status`: status of the last upstream response.
 */
export function fromCatalogError(error: unknown, status?: number): unknown {
  if (error instanceof InvalidInputError)
    return new ServiceError('invalid_input', error.message, { errors: error.errors }, { cause: error });
  if (error instanceof ResponseError) {
    // Omits the upstream's status for not_found. The status is 2xx in this case, and clients would take it for the
    // status of the failure.
    const details = error.code === 'not_found' ? {} : { status };
    return new ServiceError(
      error.code,
      error.message,
      { ...details, body: error.response },
      { cause: error },
    );
  }
  return error;
}
