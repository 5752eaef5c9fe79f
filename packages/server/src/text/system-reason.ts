import { getSystemErrorMap } from 'node:util';

/** Returns the operating system's description of an error, such as `read-only file system`. */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const number = 'errno' in error ? Number(error.errno) : Number.NaN;
  return getSystemErrorMap().get(number)?.[1] ?? error.message;
}
