/**
 * Returns the first sentence of an error of `parseArgs`. The other sentences are advice about arguments after `--`,
 * which `svc-codegen` does not accept.
 */
export function usageProblem(error: unknown): string {
  const [problem] = String(error instanceof Error ? error.message : error).split(/\.(?:\s|$)/);
  return `${problem}.`;
}
