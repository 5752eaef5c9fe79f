import { z } from 'zod';
import { failedResult, type McpTool, mcpTool, textResult } from '../../mcp/tool.js';
import type { NotesAccount } from './account.js';
import { answer } from './answer.js';
import { meetingsText, transcriptText } from './meeting-text.js';
import { timeRange } from './time-range.js';

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const;
const PAID_ONLY = 'Transcripts are only available to paid Granola tiers';
const MAX_MEETINGS = 10;

/** The tools as one person may use them. */
export function notesTools(account: NotesAccount): readonly McpTool[] {
  return [query(account), list(account), details(account), transcript(account)];
}

function query({ meetings }: NotesAccount): McpTool {
  return mcpTool({
    name: 'query_granola_meetings',
    description: 'Answers a question from the meeting notes, with citations of the notes it used.',
    input: z.strictObject({ query: z.string().min(1), document_ids: z.array(z.guid()).optional() }),
    annotations: { ...READS, openWorldHint: true },
    async run({ query: question, document_ids }, report) {
      const missing = document_ids?.find((id) => !meetings.some((meeting) => meeting.id === id));
      if (missing !== undefined) return failedResult(`Document not found: ${missing}`);
      await report(1, 3, 'Searching notes');
      await report(2, 3, 'Writing the answer');
      const read = meetings.filter(({ id }) => document_ids?.includes(id) ?? true);
      return textResult(answer(question, read));
    },
  });
}

function list({ meetings, plan, now }: NotesAccount): McpTool {
  return mcpTool({
    name: 'list_meetings',
    description: 'Lists meetings in a range of time.',
    input: z.strictObject({
      time_range: z.enum(['this_week', 'last_week', 'last_30_days', 'custom']).optional(),
      custom_start: z.string().optional(),
      custom_end: z.string().optional(),
      folder_id: z.guid().optional(),
      involvement: z.enum(['captured_by_me', 'listed_as_participant']).optional(),
      workspace_only: z.boolean().optional(),
    }),
    annotations: READS,
    run(input) {
      const range = timeRange(input, now());
      if (typeof range === 'string') return failedResult(range);
      // No meeting of the sandbox lies in a folder, and all are their owner's.
      const listed = input.folder_id === undefined ? meetings : [];
      const inRange = listed.filter(({ startsAt }) => startsAt >= range.from && startsAt < range.to);
      return textResult(meetingsText(inRange, { plan, range }));
    },
  });
}

function details({ meetings, plan }: NotesAccount): McpTool {
  return mcpTool({
    name: 'get_meetings',
    description: 'Gives summary, private notes and participants of meetings.',
    input: z.strictObject({ meeting_ids: z.array(z.guid()).min(1).max(MAX_MEETINGS) }),
    annotations: READS,
    run({ meeting_ids }) {
      const found = meetings.filter(({ id }) => meeting_ids.includes(id));
      if (found.length === 0) return failedResult(`No meetings found for: ${meeting_ids.join(', ')}`);
      return textResult(meetingsText(found, { plan, detailed: true }));
    },
  });
}

function transcript({ meetings, plan }: NotesAccount): McpTool {
  return mcpTool({
    name: 'get_meeting_transcript',
    description: 'Gives the transcript of one meeting.',
    input: z.strictObject({ meeting_id: z.guid() }),
    annotations: READS,
    run({ meeting_id }) {
      if (plan === 'free') return failedResult(PAID_ONLY);
      const meeting = meetings.find(({ id }) => id === meeting_id);
      return meeting === undefined
        ? failedResult(`Meeting not found: ${meeting_id}`)
        : textResult(transcriptText(meeting));
    },
  });
}
