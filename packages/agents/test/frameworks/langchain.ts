import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { MemorySaver } from '@langchain/langgraph';
import type { Script } from '../support/script.js';

export function modelOptions(script: Script) {
  const model = fakeModel();
  const respond = (messages: BaseMessage[]) => {
    model.respond(respond);
    const { reply, index } = script.next(messages.map((message) => message.toDict()));
    return 'call' in reply
      ? new AIMessage({
          content: '',
          tool_calls: [
            { type: 'tool_call', id: `call_${index}`, name: reply.call, args: { ...reply.input } },
          ],
        })
      : new AIMessage(reply.text);
  };
  model.respond(respond);
  return { model, checkpointer: new MemorySaver() };
}
