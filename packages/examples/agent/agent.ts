import { createInterface } from 'node:readline/promises';
import { openai } from '@ai-sdk/openai';
import { tools } from '@svc/agents';
import { aiTools } from '@svc/agents/ai';
import { createClient } from '@svc/calendar';
import { schemas } from '@svc/calendar/schemas';
import { manage } from '@svc/core';
import { generateText, isStepCount, jsonSchema, type ModelMessage } from 'ai';

const MODEL = process.env['MODEL'] ?? 'gpt-5.4';
const prompt = process.argv.slice(2).join(' ') || 'What is in my calendar this week?';

if (!process.env['OPENAI_API_KEY']) {
  console.error('OPENAI_API_KEY is not set. Set it to a key of the API that runs the model.');
  process.exit(1);
}

const svc = createClient(); // SVC_ENVIRONMENT_URL, SVC_CLIENT_ID, SVC_CLIENT_SECRET
const user = { connectionName: 'calendar', identifier: 'user_42' };

const { status } = await svc.getOrCreateConnectedAccount(user);
if (status !== 'authorized') {
  const { link } = await svc.getAuthorizationLink(user);
  console.log(`Connect your calendar: ${link}`);
  await manage(svc).accounts.waitUntilAuthorized(user);
}

const agentTools = tools(svc, {
  schemas,
  accounts: { calendar: user },
  only: ['calendar_list_events', 'calendar_create_event', 'calendar_delete_event'],
});

const terminal = createInterface({ input: process.stdin, output: process.stdout });
const messages: ModelMessage[] = [{ role: 'user', content: prompt }];
for (;;) {
  const result = await generateText({
    model: openai.chat(MODEL),
    messages,
    ...aiTools(agentTools, jsonSchema), // Deleting an event needs approval.
    stopWhen: isStepCount(10),
  });
  messages.push(...result.response.messages);
  const requests = result.content.filter((part) => part.type === 'tool-approval-request');
  if (requests.length === 0) {
    console.log(result.text);
    break;
  }
  for (const { approvalId, toolCall } of requests) {
    const reply = await terminal.question(
      `${toolCall.toolName} ${JSON.stringify(toolCall.input)}: allow? (y/n) `,
    );
    messages.push({
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId, approved: reply.trim() === 'y' }],
    });
  }
}
terminal.close();
