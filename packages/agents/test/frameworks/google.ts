import { GoogleGenAI } from '@google/genai';
import type { Script } from '../support/script.js';
import { scriptedFetch } from '../support/scripted-fetch.js';

export function modelOptions(script: Script) {
  const fetch = scriptedFetch(script, (reply) => ({
    candidates: [
      {
        finishReason: 'STOP',
        content: {
          role: 'model',
          parts: [
            'call' in reply
              ? { functionCall: { name: reply.call, args: reply.input } }
              : { text: reply.text },
          ],
        },
      },
    ],
  }));
  return { google: new GoogleGenAI({ apiKey: 'of-tests', httpOptions: { fetch } }) };
}
