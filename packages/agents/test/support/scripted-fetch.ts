import type { Script, Turn } from './script.js';

/** Creates a `fetch` that returns the messages of a scripted model in the vendor's format. It sends no request. */
export function scriptedFetch(script: Script, answer: (turn: Turn, index: number) => object): typeof fetch {
  return async (_url, init) => {
    init?.signal?.throwIfAborted();
    const { turn, index } = script.next(JSON.parse(String(init?.body)));
    return new Response(JSON.stringify(answer(turn, index)), {
      headers: { 'content-type': 'application/json' },
    });
  };
}
