import type { Script } from '../support/script.js';

/** Creates a scripted model in the AI SDK's second specification, which Mastra accepts. */
export function modelOptions(script: Script) {
  const model = {
    specificationVersion: 'v2' as const,
    provider: 'script',
    modelId: 'script',
    supportedUrls: {},
    doGenerate: async ({ prompt }: { readonly prompt: unknown }) => {
      const { reply, index } = script.next(prompt);
      const isCall = 'call' in reply;
      return {
        content: [
          isCall
            ? {
                type: 'tool-call' as const,
                toolCallId: `call_${index}`,
                toolName: reply.call,
                input: JSON.stringify(reply.input),
              }
            : { type: 'text' as const, text: reply.text },
        ],
        finishReason: isCall ? ('tool-calls' as const) : ('stop' as const),
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
        warnings: [],
      };
    },
    doStream: async () => {
      throw new Error('The script does not stream.');
    },
  };
  return { model };
}
