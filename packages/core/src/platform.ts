// The declarations compile with DOM types, Node types, worker types, or none of them. A global that
// the consumer's configuration does not know becomes the fallback.
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
