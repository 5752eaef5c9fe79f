import { existing } from '../../refusal.js';
import { beingGenerated, notFound } from './api-error.js';
import { type Call, type Endpoint, nothing, type Outcome, ok } from './call.js';
import type { Activity, Analysis, Segment } from './organization.js';
import type { Theme } from './seed.js';

export const insightEndpoints: readonly Endpoint[] = [
  { verb: 'GET', path: '/getTranscription', handle: (call) => ofTranscript(call, (segments) => segments) },
  { verb: 'GET', path: '/getQuestions', handle: (call) => ofTranscript(call, questionsIn) },
  {
    verb: 'GET',
    path: '/getMatchedTriggers',
    handle: (call) =>
      ofTranscript(call, (segments) =>
        segments.flatMap((segment) => matchesIn(segment, call.organization.themes)),
      ),
  },
  { verb: 'GET', path: '/getSummary', handle: summary },
  { verb: 'GET', path: '/getActionItems', handle: actionItems },
];

const activityOf = ({ organization, parameters }: Call): Activity =>
  existing(organization.activities.get(parameters.requiredUuid('activityId')), () => notFound('Activity'));

/** Builds a response from the transcript. Responds without content if the recording has no transcript, or none yet. */
function ofTranscript(call: Call, present: (segments: readonly Segment[]) => readonly unknown[]): Outcome {
  const { analysis } = activityOf(call);
  if (analysis === undefined || analysis.transcribedAt > call.now) return nothing;
  return ok(present(analysis.segments));
}

function summary(call: Call): Outcome {
  const format = call.parameters.choice('format', ['text', 'html']) ?? 'text';
  const { summary: text } = finishedAnalysis(call, 'Summary') ?? {};
  if (text === undefined) return nothing;
  const content = format === 'html' ? `<p>${text}</p>` : text;
  return ok({ summary: text === null ? null : { content } });
}

function actionItems(call: Call): Outcome {
  const { actionItems: content } = finishedAnalysis(call, 'Action items') ?? {};
  if (content === undefined) return nothing;
  return ok({ actionItems: content === null ? null : { content } });
}

/**
 * Returns the finished analysis. Returns undefined if the upload requested none, and throws while the analysis is in
 * progress.
 */
function finishedAnalysis(call: Call, what: string): Analysis | undefined {
  const { analysis } = activityOf(call);
  if (analysis?.summary === undefined) return undefined;
  if (analysis.finishedAt > call.now) throw beingGenerated(what);
  return analysis;
}

const LONG_REPLY = 8;

/**
 * Finds questions in a transcript. A question is engaging if another speaker answers it, and insightful if that answer
 * has at least 8 words.
 */
function questionsIn(segments: readonly Segment[]) {
  return segments.flatMap(({ startsAt, endsAt, participantId, transcript }, index) => {
    if (!transcript.endsWith('?')) return [];
    const reply = segments[index + 1];
    const engaging = reply !== undefined && reply.participantId !== participantId;
    const insightful = engaging && reply.transcript.split(' ').length >= LONG_REPLY;
    return { startsAt, endsAt, participantId, text: transcript, engaging, insightful };
  });
}

function matchesIn({ startsAt, endsAt, participantId, transcript }: Segment, themes: readonly Theme[]) {
  const words = transcript.toLowerCase();
  return themes.flatMap((theme) =>
    theme.topics.flatMap((topic) =>
      topic.triggers
        .filter((trigger) => words.includes(trigger))
        .map((trigger) => ({
          theme: theme.name,
          topic: topic.name,
          trigger,
          startsAt,
          endsAt,
          participantId,
          excerpt: transcript,
        })),
    ),
  );
}
