import { call, type ResponseOf } from './call.ts';

export type Problems = ResponseOf<'GET /operator/v1/problems'>;

/** Loads everything that does not work: in one application, or in the whole service without an application. */
export const loadProblems = (applicationId: string | undefined, signal: AbortSignal): Promise<Problems> =>
  call(
    'GET /operator/v1/problems',
    { query: applicationId === undefined ? {} : { applicationId } },
    { signal },
  );
