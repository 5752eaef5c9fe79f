/** What the command prints, and how it ends. */
export interface CommandResult {
  readonly lines: readonly string[];
  readonly exitCode: 0 | 1 | 2;
}
