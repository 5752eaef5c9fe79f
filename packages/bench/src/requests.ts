import { PEER_ACCOUNT } from './peers/settings.ts';

// What a plain client sends; JSON.
const headers = (token: string): string =>
  `host: localhost\r\nauthorization: Bearer ${token}\r\naccept: application/json\r\nuser-agent: bench\r\n`;

export const get = (path: string, token: string): string => `GET ${path} HTTP/1.1\r\n${headers(token)}\r\n`;

export const proxied = (path: string, token: string, account = PEER_ACCOUNT): string =>
  get(`/v1/proxy/${account}${path}`, token);

/** A tool whose binding is JSON alone: one GET with a query. */
export function toolCall(connectedAccountId: string, token: string): string {
  const toolInput = { activityId: '6f0d0c6e-2f0b-4c58-9a54-5a6a3c1f7e21' };
  const body = JSON.stringify({ connectedAccountId, toolInput });
  const framing = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  return `POST /v1/tools/convintel_questions_get/execute HTTP/1.1\r\n${headers(token)}${framing}\r\n${body}`;
}
