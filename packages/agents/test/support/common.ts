import { schemas } from '@svc/calendar/schemas';
import { type AccountChoice, type ToolClient, tools } from '../../src/index.js';
import type { Approve } from '../../src/run-approved.js';

/** Names that every example uses without declaring them. */
export interface Common {
  readonly agentTools: ReturnType<typeof calendarTools>;
  readonly prompt: string;
  readonly approve: Approve;
  readonly abortSignal: AbortSignal;
}

/** Creates the tools that the README's examples pass to a model. */
export const calendarTools = (
  client: ToolClient,
  calendar: AccountChoice,
  more: { readonly dryRun?: boolean } = {},
) =>
  tools(client, {
    ...more,
    schemas,
    accounts: { calendar },
    only: ['calendar_create_event', 'calendar_list_events', 'calendar_delete_event'],
  });
