import { type Model, setTracingDisabled, Usage } from '@openai/agents';
import type { Script } from '../support/script.js';

setTracingDisabled(true);

export function given(script: Script) {
  const model: Model = {
    getResponse: async ({ input }) => {
      const { turn, index } = script.next(input);
      return {
        usage: new Usage(),
        output: [
          'call' in turn
            ? {
                type: 'function_call',
                callId: `call_${index}`,
                name: turn.call,
                status: 'completed',
                arguments: JSON.stringify(turn.input),
              }
            : {
                type: 'message',
                role: 'assistant',
                status: 'completed',
                content: [{ type: 'output_text', text: turn.text }],
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
