import type { Script } from '../support/script.js';

// Path of a module that is imported dynamically, because only full runs install it.
const FROM = '../heavy/node_modules/genkit/lib/beta.mjs';

export async function modelOptions(script: Script) {
  const { genkit } = await import(FROM);
  const ai = genkit({});
  const model = ai.defineModel({ name: 'script', supports: { tools: true } }, async (request: unknown) => {
    const { reply, index } = script.next(request);
    const part =
      'call' in reply
        ? { toolRequest: { name: reply.call, input: reply.input, ref: `call_${index}` } }
        : { text: reply.text };
    return { message: { role: 'model', content: [part] }, finishReason: 'stop' };
  });
  return { ai, model };
}
