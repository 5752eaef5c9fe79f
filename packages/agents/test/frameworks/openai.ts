import OpenAI from 'openai';
import type { Script } from '../support/script.js';
import { scriptedFetch } from '../support/scripted-fetch.js';

export function modelOptions(script: Script) {
  const fetch = scriptedFetch(script, (reply, index) => ({
    id: `resp_${index}`,
    object: 'response',
    status: 'completed',
    output: [
      'call' in reply
        ? {
            type: 'function_call',
            id: `fc_${index}`,
            call_id: `call_${index}`,
            name: reply.call,
            arguments: JSON.stringify(reply.input),
          }
        : {
            type: 'message',
            id: `msg_${index}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: reply.text, annotations: [] }],
          },
    ],
  }));
  return { openai: new OpenAI({ apiKey: 'of-tests', fetch, maxRetries: 0 }) };
}
