import type { ServiceError } from '../errors.js';

/** Request that the service answered with an error. */
export interface FailedRequest {
  readonly requestId: string;
  /** Empty if the request failed before the service knew its application. */
  readonly applicationId: string;
  readonly actor: string;
  /** Method and path pattern of the request. The actual path is never stored, because it may contain personal data. */
  readonly operation: string;
  readonly errorCode: string;
  /** Ids of objects that the request named. */
  readonly objects?: readonly string[];
  /** Error of the response. Absent if only its code is known. */
  readonly error?: ServiceError | undefined;
}

export type RecordFailedRequest = (request: FailedRequest) => void;
