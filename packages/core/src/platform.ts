// Resolves to a global of the platform, or to the fallback if the consumer's configuration lacks it. The declarations
// therefore compile with DOM, Node.js or worker types, or none of them.
type Global<Name extends string, Fallback> =
  typeof globalThis extends Record<Name, { prototype: infer Value }> ? Value : Fallback;

/** The platform's `AbortSignal`. */
export type PlatformAbortSignal = Global<
  'AbortSignal',
  { readonly aborted: boolean; readonly reason: unknown }
>;

/** The platform's `Response`. */
export type PlatformResponse = Global<'Response', unknown>;

/** The platform's `Headers`. */
export type PlatformHeaders = Global<'Headers', { get(name: string): string | null }>;

/** The platform's `Blob`. */
export type PlatformBlob = Global<'Blob', never>;

/** The platform's `ReadableStream`. */
export type PlatformReadableStream = Global<'ReadableStream', never>;

/** The platform's `URLSearchParams`. */
export type PlatformSearchParams = Global<'URLSearchParams', never>;
