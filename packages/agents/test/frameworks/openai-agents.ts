import { type Model, setTracingDisabled, Usage } from '@openai/agents';
import type { Script } from '../support/script.js';

setTracingDisabled(true);

export function modelOptions(script: Script) {
  const model: Model = {
    getResponse: async ({ input }) => {
      const { reply, index } = script.next(input);
      return {
        usage: new Usage(),
        output: [
          'call' in reply
            ? {
                type: 'function_call',
                callId: `call_${index}`,
                name: reply.call,
                status: 'completed',
                arguments: JSON.stringify(reply.input),
              }
            : {
                type: 'message',
                role: 'assistant',
                status: 'completed',
                content: [{ type: 'output_text', text: reply.text }],
              },
        ],
      };
    },
    getStreamedResponse: () => {
      throw new Error('The script does not stream.');
    },
  };
  return { model };
}
