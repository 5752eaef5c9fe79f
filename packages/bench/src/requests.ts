import { PEER_ACCOUNT } from './peers/settings.ts';

// What a plain client sends; JSON.
const headers = (token: string): string =>
  `host: localhost\r\nauthorization: Bearer ${token}\r\naccept: application/json\r\nuser-agent: bench\r\n`;

export const get = (path: string, token: string): string => `GET ${path} HTTP/1.1\r\n${headers(token)}\r\n`;

/** As an operator sends it who is signed in. */
export const operated = (path: string, cookie: string): string =>
  `GET /operator/v1${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`;

export const proxied = (path: string, token: string, account = PEER_ACCOUNT): string =>
  get(`/v1/proxy/${account}${path}`, token);

function post(path: string, own: string, body: string): string {
  const framing = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  return `POST ${path} HTTP/1.1\r\n${own}${framing}\r\n${body}`;
}

/** A tool whose binding is JSON alone: one GET with a query. */
export function toolCall(connectedAccountId: string, token: string): string {
  const toolInput = { activityId: '6f0d0c6e-2f0b-4c58-9a54-5a6a3c1f7e21' };
  const body = JSON.stringify({ connectedAccountId, toolInput });
  return post('/v1/tools/convintel_questions_get/execute', headers(token), body);
}

/** A sign-in of an operator, as a script guesses at it. */
export function guess(origin: string): string {
  const body = JSON.stringify({ name: 'admin', password: 'not the password of anybody' });
  return post('/operator/v1/session', `host: ${new URL(origin).host}\r\norigin: ${origin}\r\n`, body);
}
