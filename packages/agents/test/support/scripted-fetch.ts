import type { Reply, Script } from './script.js';

/** Creates a `fetch` that returns the replies of a scripted model in the vendor's format. It sends no request. */
export function scriptedFetch(script: Script, format: (reply: Reply, index: number) => object): typeof fetch {
  return async (_url, init) => {
    init?.signal?.throwIfAborted();
    const { reply, index } = script.next(JSON.parse(String(init?.body)));
    return new Response(JSON.stringify(format(reply, index)), {
      headers: { 'content-type': 'application/json' },
    });
  };
}
