/** Tool schema in the format of the `schemas` entries of connector packages. */
export interface ToolSchema {
  /** Full name of the tool, such as `calendar_create_event`. */
  readonly name: string;
  /** Short title for people. */
  readonly title: string;
  /** Description for the model. */
  readonly description: string;
  readonly hints: {
    /** True if the tool changes nothing. */
    readonly readOnly: boolean;
    /** True if the tool deletes or overwrites data. */
    readonly destructive: boolean;
    /** True if a repeated call leaves the same state. */
    readonly idempotent: boolean;
    /** True if a call may take minutes. */
    readonly longRunning: boolean;
  };
  /** Schema version of the tool from which the schema was generated. */
  readonly schemaVersion: string;
  /** Vendor's dialect of the schema. Absent: plain JSON Schema. */
  readonly dialect?: 'openai-strict' | 'anthropic-strict' | 'gemini';
  /** JSON Schema of the input, in the dialect of the vendor. */
  readonly inputSchema: JsonSchema;
  /** Share of Anthropic's limits that the tool uses. Absent for schemas of other vendors. */
  readonly cost?: Cost;
}

/** JSON Schema as a plain object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Share of Anthropic's limits per model request that a tool with `strict: true` uses. The limits count such tools,
 * their optional properties and their unions.
 */
export interface Cost {
  /** Number of tools: 1. */
  readonly tools: number;
  /** Number of optional properties in the input schema. */
  readonly optional: number;
  /** Number of unions in the input schema. */
  readonly unions: number;
}
