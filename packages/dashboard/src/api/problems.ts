import { call, type ResponseOf } from './call.ts';
import { noteWaitingApprovals } from './waiting-approvals.ts';

export type Problems = ResponseOf<'GET /operator/v1/problems'>;

/**
 * Loads the problems that operators must solve, such as connections that do not work. Loads those of all applications
 * if `applicationId` is undefined.
 */
export async function loadProblems(
  applicationId: string | undefined,
  signal: AbortSignal,
): Promise<Problems> {
  const query = applicationId === undefined ? {} : { applicationId };
  const problems = await call('GET /operator/v1/problems', { query }, { signal });
  if (applicationId !== undefined) noteWaitingApprovals(applicationId, problems);
  return problems;
}
