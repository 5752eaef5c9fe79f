/** A tool as the `schemas` entries of connector packages have it. */
export interface ToolSchema {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly hints: {
    readonly readOnly: boolean;
    readonly destructive: boolean;
    readonly idempotent: boolean;
    readonly longRunning: boolean;
  };
  readonly schemaVersion: string;
  /** Absent where the schema is plain JSON Schema. */
  readonly dialect?: 'openai-strict' | 'anthropic-strict' | 'gemini';
  readonly inputSchema: JsonSchema;
  readonly cost?: Cost;
}

/** A JSON Schema, as data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a strict tool uses of the vendor's limits for one request. */
export interface Cost {
  readonly tools: number;
  readonly optional: number;
  readonly unions: number;
}
