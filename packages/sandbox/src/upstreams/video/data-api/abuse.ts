import type { Outcome } from '../../../google/method.js';
import { each, ignored, list, record, text, textOf, within } from '../body.js';
import { refuse } from '../refusals.js';
import { MANAGING, WRITING } from '../scopes.js';
import { type Call, type Method, OWNED, serviceMethods } from './call.js';
import { visibleVideo } from './find-video.js';
import { isReportReason } from './languages.js';

const ENTITY = record({ id: text, typeId: text, url: text });
const REPORT_PARTS = ['abuseTypes', 'description', 'relatedEntities', 'subject'];

/** Methods that report abuse. Reports are checked and discarded, because no API method returns them. */
export const abuseMethods: readonly Method[] = [
  ...serviceMethods('Video', '/videos/reportAbuse', {
    ReportAbuse: {
      scopes: WRITING,
      parameters: OWNED,
      body: record({
        ...each(text, 'videoId reasonId secondaryReasonId comments language'),
      }),
      handle: reportVideo,
    },
  }),
  ...serviceMethods('AbuseReport', '/abuseReports', {
    Insert: {
      scopes: MANAGING,
      parts: ['id', 'snippet', ...REPORT_PARTS],
      body: record({
        abuseTypes: list(record({ id: text })),
        description: text,
        relatedEntities: list(record({ entity: ENTITY })),
        subject: ENTITY,
        kind: ignored,
      }),
      handle: insertReport,
    },
  }),
];

function reportVideo(call: Call): Outcome {
  const { body } = call;
  const [videoId, reasonId] = [textOf(body, 'videoId'), textOf(body, 'reasonId')];
  if (videoId === undefined) throw refuse(400, 'videoIdRequired', 'The report must name a video.');
  visibleVideo(call, videoId);
  if (reasonId === undefined || !isReportReason(reasonId))
    throw refuse(400, 'invalidAbuseReason', 'The report has no reason, or an unknown one.');
  if (textOf(body, 'secondaryReasonId') !== undefined)
    throw refuse(400, 'invalidAbuseReason', 'The reason has no secondary reasons.');
  return { status: 204 };
}

function insertReport({ body, parts }: Call): Outcome {
  if (textOf(within(body, 'subject'), 'id') === undefined)
    throw refuse(400, 'subjectRequired', 'The report must say what it is about.');
  if (!Array.isArray(body.abuseTypes) || body.abuseTypes.length === 0)
    throw refuse(400, 'abuseTypeRequired', 'The report must give a type of abuse.');
  return {
    body: Object.fromEntries(
      REPORT_PARTS.filter((part) => parts.has(part)).map((part) => [part, body[part]]),
    ),
  };
}
