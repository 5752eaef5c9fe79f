import Anthropic from '@anthropic-ai/sdk';
import type { Script } from '../support/script.js';
import { scriptedFetch } from '../support/scripted-fetch.js';

export function given(script: Script) {
  const fetch = scriptedFetch(script, (turn, index) => ({
    id: `msg_${index}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5',
    stop_reason: 'call' in turn ? 'tool_use' : 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
    content: [
      'call' in turn
        ? { type: 'tool_use', id: `call_${index}`, name: turn.call, input: turn.input }
        : { type: 'text', text: turn.text },
    ],
  }));
  return { anthropic: new Anthropic({ apiKey: 'of-tests', fetch, maxRetries: 0 }) };
}
