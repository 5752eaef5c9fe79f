import { type BrokenRule, isJsonObject } from '@svc/catalog/rules';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';
import { toOperatorText } from '../words/service-texts.ts';

const isBrokenRule = (value: unknown): value is BrokenRule =>
  isJsonObject(value) && typeof value['field'] === 'string' && typeof value['message'] === 'string';

/** Returns the field errors of an error response. */
export function brokenRules(error: unknown): readonly BrokenRule[] {
  const errors = error instanceof ApiError ? error.details['errors'] : undefined;
  return Array.isArray(errors) ? errors.filter(isBrokenRule) : [];
}

type Messages<Name extends string> = Readonly<Partial<Record<Name, string>>>;

interface FieldErrors<Name extends string> {
  /** Error messages by the name of the form field. */
  readonly wrong: Messages<Name>;
  /**
   * Calls `request`, which sends the form. Resolves to false if the service reports field errors. Throws all other
   * errors.
   */
  readonly send: (request: () => Promise<unknown>) => Promise<boolean>;
}

/** Returns the messages of the field errors. Returns `undefined` if `names` does not contain the field of an error. */
function messagesOf<Name extends string>(error: unknown, names: readonly Name[]): Messages<Name> | undefined {
  const rules = brokenRules(error).map(({ field, message }) => ({
    name: names.find((name) => field === name || field.startsWith(`${name}.`)),
    message,
  }));
  if (rules.length === 0 || rules.some(({ name }) => name === undefined)) return undefined;
  return Object.fromEntries(
    rules.map(({ name, message }) => [name, toOperatorText(message)]),
  ) as Messages<Name>;
}

/** Shows the service's field errors next to their form fields, and focuses the first field with an error. */
export function useFieldErrors<Name extends string>(names: readonly Name[]): FieldErrors<Name> {
  const [wrong, setWrong] = useState<Messages<Name>>();
  useEffect(() => {
    if (wrong) document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
  }, [wrong]);
  const send = async (request: () => Promise<unknown>) => {
    setWrong(undefined);
    try {
      await request();
      return true;
    } catch (error) {
      const messages = messagesOf(error, names);
      if (messages === undefined) throw error;
      setWrong(messages);
      return false;
    }
  };
  return { wrong: wrong ?? ({} as Messages<Name>), send };
}
