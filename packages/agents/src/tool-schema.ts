/** Tool schema in the format of the `schemas` entries of connector packages. */
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
  /** Vendor's dialect of the schema. Absent: plain JSON Schema. */
  readonly dialect?: 'openai-strict' | 'anthropic-strict' | 'gemini';
  readonly inputSchema: JsonSchema;
  readonly cost?: Cost;
}

/** JSON Schema as a plain object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Share of Anthropic's limits per model request that a tool with `strict: true` uses. The limits count such tools,
 * their optional properties and their unions.
 */
export interface Cost {
  readonly tools: number;
  readonly optional: number;
  readonly unions: number;
}
