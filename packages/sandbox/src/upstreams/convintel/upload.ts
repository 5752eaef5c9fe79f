import { randomUUID } from 'node:crypto';
import { invalid, malformed, required } from './api-error.js';
import { type Call, created, type Endpoint, type Outcome } from './call.js';
import type { Activity, Analysis, User } from './organization.js';
import { parseDay } from './request-time.js';
import type { Organization } from './seed.js';
import { sendWebhooks } from './send-webhooks.js';
import { samplePayload } from './webhooks.js';

const MINUTE = 60_000;
const LANGUAGE = /^[a-z]{2}_[A-Z]{2}$/;

export const uploadEndpoints: readonly Endpoint[] = [
  { verb: 'POST', path: '/uploadActivity', handle: upload },
];

async function upload(call: Call): Promise<Outcome> {
  const form = await readUploadForm(call);
  const activity = readActivity(form, call);
  if (!form.hasRecording())
    throw invalid('file', 'The file field is required when recordingUrl is not present.');
  call.organization.activities.set(activity.id, activity);
  announce(call, activity);
  return created({ id: activity.id });
}

/** Sends the webhooks for a processed conversation when the analysis of the upload is finished. */
function announce({ organization, clock }: Call, activity: Activity): void {
  const trigger = 'conversation_processed';
  const { finishedAt = clock.now() } = activity.analysis ?? {};
  clock.at(finishedAt, () =>
    sendWebhooks(organization, trigger, samplePayload(trigger, organization, clock.now(), activity)),
  );
}

function readActivity(form: UploadForm, { organization, now }: Call): Activity {
  const host = hostOf(form.requiredText('hostUserEmail'), organization);
  const title = form.requiredText('title', 250);
  const participant = { id: randomUUID(), name: host.name, user: host };
  form.flag('notifyForUploadCompletionByEmail');
  return {
    id: randomUUID(),
    type: 'uploaded',
    activityType: 'Uploaded call',
    title,
    host,
    language: readLanguage(form),
    participants: [participant],
    startedAt: form.day('completedAt') ?? now,
    seconds: 60,
    createdAt: now,
    analysis: futureAnalysis(title, {
      participantId: participant.id,
      isShort: form.flag('skipFullAnalysis'),
      now,
    }),
    ...externalIdOf(form, host, organization),
    ...optional('accountId', form.text('accountId', 100)),
    ...optional('leadId', form.text('leadId', 180)),
    ...optional('opportunityId', form.text('opportunityId', 100)),
  };
}

function hostOf(email: string, { users }: Organization): User {
  const host = users.find((user) => user.email === email.toLowerCase());
  if (host === undefined)
    throw invalid('hostUserEmail', 'The hostUserEmail must belong to a user of your team.');
  return host;
}

function readLanguage(form: UploadForm): string {
  const language = form.requiredText('language');
  if (!LANGUAGE.test(language)) throw invalid('language', 'The selected language is invalid.');
  return language;
}

/** Returns the external id of an upload. The id must be unique per host, not per organization. */
function externalIdOf(form: UploadForm, host: User, { activities }: Organization): { externalId?: string } {
  const externalId = form.text('externalId', 191);
  const isTaken = [...activities.values()].some(
    (activity) => activity.host.id === host.id && activity.externalId === externalId,
  );
  if (externalId !== undefined && isTaken)
    throw invalid('externalId', 'The externalId has already been taken.');
  return optional('externalId', externalId);
}

function optional<Name extends string>(name: Name, value: string | undefined): { [Key in Name]?: string } {
  const entry: { [Key in Name]?: string } = {};
  if (value !== undefined) entry[name] = value;
  return entry;
}

/**
 * Builds the analysis of an upload: transcript after 5 minutes, the rest after 10. The audio is not analyzed, so the
 * transcript contains the title.
 */
function futureAnalysis(
  title: string,
  { participantId, isShort, now }: { participantId: string; isShort: boolean; now: number },
): Analysis {
  return {
    transcribedAt: now + 5 * MINUTE,
    finishedAt: now + 10 * MINUTE,
    segments: [{ startsAt: 0, endsAt: 3.5, participantId, transcript: `This is the recording of ${title}.` }],
    ...(isShort ? {} : { summary: `A recording of ${title}.`, actionItems: [] }),
  };
}

/** Form fields of an upload and its recording: a file, or a URL from which the service downloads it. */
type UploadForm = Awaited<ReturnType<typeof readUploadForm>>;

/** Parses an upload from multipart form data or JSON. A JSON body can contain only the URL of a file. */
async function readUploadForm(call: Call) {
  const fields = await readFields(call);
  const text = (name: string, maxLength?: number) => readText(name, fields.get(name), maxLength);
  return {
    text,
    requiredText(name: string, maxLength?: number) {
      const value = text(name, maxLength);
      if (value === undefined) throw required(name);
      return value;
    },
    flag: (name: string) => readFlag(name, fields.get(name)),
    day: (name: string) => readDay(name, text(name)),
    hasRecording() {
      const file = fields.get('file');
      return isHttps(text('recordingUrl')) || (file instanceof Blob && file.size > 0);
    },
  };
}

async function readFields({ bytes, contentType, json }: Call): Promise<Map<string, unknown>> {
  if (/^application\/json\b/i.test(contentType)) return new Map(Object.entries(json()));
  if (!/^multipart\/form-data\b/i.test(contentType)) throw malformed('The body must be multipart/form-data.');
  try {
    const body = new Uint8Array(bytes ?? []);
    const form: unknown = await new Response(body, { headers: { 'content-type': contentType } }).formData();
    return new Map(form instanceof FormData ? form : []);
  } catch {
    throw malformed('The body is not valid multipart/form-data.');
  }
}

function readText(name: string, value: unknown, maxLength = Number.MAX_SAFE_INTEGER): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw invalid(name, `The ${name} must be a string.`);
  if (value.length <= maxLength) return value;
  throw invalid(name, `The ${name} may not be greater than ${maxLength} characters.`);
}

const FLAGS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [undefined, false],
  [false, false],
  ['false', false],
  ['0', false],
  [true, true],
  ['true', true],
  ['1', true],
]);

function readFlag(name: string, value: unknown): boolean {
  const flag = FLAGS.get(value);
  if (flag === undefined) throw invalid(name, `The ${name} field must be true or false.`);
  return flag;
}

function readDay(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const day = parseDay(value);
  if (day === undefined) throw invalid(name, `The ${name} does not match the format Y-m-d.`);
  return day;
}

function isHttps(url: string | undefined): boolean {
  return url !== undefined && URL.parse(url)?.protocol === 'https:';
}
