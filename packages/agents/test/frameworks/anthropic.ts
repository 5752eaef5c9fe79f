import Anthropic from '@anthropic-ai/sdk';
import type { Script } from '../support/script.js';
import { scriptedFetch } from '../support/scripted-fetch.js';

export function modelOptions(script: Script) {
  const fetch = scriptedFetch(script, (reply, index) => ({
    id: `msg_${index}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5',
    stop_reason: 'call' in reply ? 'tool_use' : 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
    content: [
      'call' in reply
        ? { type: 'tool_use', id: `call_${index}`, name: reply.call, input: reply.input }
        : { type: 'text', text: reply.text },
    ],
  }));
  return { anthropic: new Anthropic({ apiKey: 'of-tests', fetch, maxRetries: 0 }) };
}
