import { MockLanguageModelV4 } from 'ai/test';
import type { Script } from '../support/script.js';

export function modelOptions(script: Script) {
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const { reply, index } = script.next(prompt);
      const isCall = 'call' in reply;
      return {
        content: [
          isCall
            ? {
                type: 'tool-call',
                toolCallId: `call_${index}`,
                toolName: reply.call,
                input: JSON.stringify(reply.input),
              }
            : { type: 'text', text: reply.text },
        ],
        finishReason: { unified: isCall ? 'tool-calls' : 'stop', raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
  return { model };
}
