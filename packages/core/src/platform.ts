// Resolves to the type of a platform's global, or to the fallback if the consumer's configuration lacks the global. The
// declarations therefore compile with DOM, Node.js or worker types, or none of them.
type Global<Name extends string, Fallback> =
  typeof globalThis extends Record<Name, { prototype: infer Value }> ? Value : Fallback;

/** Type of the platform's global `AbortSignal`. */
export type PlatformAbortSignal = Global<
  'AbortSignal',
  { readonly aborted: boolean; readonly reason: unknown }
>;

/** Type of the platform's global `Response`. */
export type PlatformResponse = Global<'Response', unknown>;

/** Type of the platform's global `Headers`. */
export type PlatformHeaders = Global<'Headers', { get(name: string): string | null }>;

/** Type of the platform's global `Blob`. */
export type PlatformBlob = Global<'Blob', never>;

/** Type of the platform's global `ReadableStream`. */
export type PlatformReadableStream = Global<'ReadableStream', never>;

/** Type of the platform's global `URLSearchParams`. */
export type PlatformSearchParams = Global<'URLSearchParams', never>;
