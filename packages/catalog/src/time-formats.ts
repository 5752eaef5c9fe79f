interface TimeForm {
  readonly separator: 'T' | ' ';
  readonly offset: 'needed' | 'allowed' | 'refused';
  /** Whether a day without a time of day will do, and a time of day without seconds. */
  readonly isShortEnough: boolean;
  readonly hasFractions: boolean;
}

const FORMS: Readonly<Record<string, TimeForm>> = {
  'date-time': { separator: 'T', offset: 'needed', isShortEnough: false, hasFractions: true },
  'date-or-time': { separator: 'T', offset: 'allowed', isShortEnough: true, hasFractions: true },
  'utc-date-time': { separator: ' ', offset: 'refused', isShortEnough: false, hasFractions: false },
};

const PARTS = /^(\d{4}-\d\d-\d\d)(?:([Tt ]) ?(\d\d:\d\d)(:\d\d)?([.,]\d+)?([^\d.,:].*)?)?$/;
const OFFSET = /^(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** What is wrong with a time of a form: `undefined` when nothing is, and empty when it is no time at all. */
function faultOf(text: string, form: TimeForm): string | undefined {
  const [, day, separator, clock, seconds, fraction, offset] = PARTS.exec(text) ?? [];
  if (day === undefined) return '';
  if (!isDay(day)) return 'there is no such day';
  if (clock === undefined || separator === undefined)
    return form.isShortEnough ? undefined : 'add the time of day';
  if (separator.toUpperCase() !== form.separator || text.charAt(day.length + 1) === ' ')
    return form.separator === 'T'
      ? 'write a T between the day and the time of day'
      : 'write one space between the day and the time of day';
  if (seconds === undefined && !form.isShortEnough) return 'add the seconds';
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(clock) || (seconds !== undefined && seconds > ':59'))
    return 'there is no such time of day';
  return fractionFault(fraction, seconds, form) ?? offsetFault(offset, form);
}

function fractionFault(fraction: string | undefined, seconds: string | undefined, form: TimeForm) {
  if (fraction === undefined) return undefined;
  if (!form.hasFractions) return 'leave out fractions of seconds';
  return seconds === undefined || fraction.startsWith(',') ? 'write fractions of seconds as .5' : undefined;
}

function offsetFault(offset: string | undefined, form: TimeForm): string | undefined {
  if (offset === undefined)
    return form.offset === 'needed' ? 'add the offset: Z for UTC, or one such as +01:00' : undefined;
  if (form.offset === 'refused') return 'leave out the offset, and give the time in UTC';
  return OFFSET.test(offset) ? undefined : 'write the offset as Z, or as +01:00';
}

function isDay(day: string): boolean {
  const instant = Date.parse(`${day}T00:00:00Z`);
  // Some engines read the 31st of a short month as a day of the next.
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(day);
}

/** Formats of times that are as strict as those who ask for them. */
export const TIME_FORMATS: Readonly<Record<string, (text: string) => boolean>> = Object.fromEntries(
  Object.entries(FORMS).map(([format, form]) => [
    format,
    (text: string) => faultOf(text, form) === undefined,
  ]),
);

/** What has to be changed to make a text one of a format of times; nothing where that cannot be told. */
export function correctionOf(format: string, text: unknown): string {
  const form = Object.hasOwn(FORMS, format) ? FORMS[format] : undefined;
  return form === undefined || typeof text !== 'string' ? '' : (faultOf(text, form) ?? '');
}
