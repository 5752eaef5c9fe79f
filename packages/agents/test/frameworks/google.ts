import { GoogleGenAI } from '@google/genai';
import type { Script } from '../support/script.js';
import { scriptedFetch } from '../support/scripted-fetch.js';

export function given(script: Script) {
  const fetch = scriptedFetch(script, (turn) => ({
    candidates: [
      {
        finishReason: 'STOP',
        content: {
          role: 'model',
          parts: [
            'call' in turn ? { functionCall: { name: turn.call, args: turn.input } } : { text: turn.text },
          ],
        },
      },
    ],
  }));
  return { google: new GoogleGenAI({ apiKey: 'of-tests', httpOptions: { fetch } }) };
}
