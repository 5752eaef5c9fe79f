import type { Script, Turn } from './script.js';

/** A `fetch` behind which a scripted model answers as its vendor would; nothing leaves the process. */
export function scriptedFetch(script: Script, answer: (turn: Turn, index: number) => object): typeof fetch {
  return async (_url, init) => {
    init?.signal?.throwIfAborted();
    const { turn, index } = script.next(JSON.parse(String(init?.body)));
    return new Response(JSON.stringify(answer(turn, index)), {
      headers: { 'content-type': 'application/json' },
    });
  };
}
