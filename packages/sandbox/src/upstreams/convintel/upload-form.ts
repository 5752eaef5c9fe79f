import { invalid, malformed, required } from './api-error.js';
import type { Call } from './call.js';
import { parseDay } from './request-time.js';

/** The fields of an upload, and its recording: a file, or an address that the service fetches it from. */
export interface UploadForm {
  text(name: string, maxLength?: number): string | undefined;
  requiredText(name: string, maxLength?: number): string;
  flag(name: string): boolean;
  /** Milliseconds since 1970. */
  day(name: string): number | undefined;
  hasRecording(): boolean;
}

/** Reads multipart form data, or JSON, which can carry no file. */
export async function readUploadForm(call: Call): Promise<UploadForm> {
  const fields = await readFields(call);
  const text = (name: string, maxLength?: number) => readText(name, fields.get(name), maxLength);
  return {
    text,
    requiredText(name, maxLength) {
      const value = text(name, maxLength);
      if (value === undefined) throw required(name);
      return value;
    },
    flag: (name) => readFlag(name, fields.get(name)),
    day: (name) => readDay(name, text(name)),
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
