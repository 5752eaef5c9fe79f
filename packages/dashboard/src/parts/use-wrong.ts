import { type BrokenRule, isJsonObject } from '@svc/catalog/rules';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/api-error.ts';

const isBrokenRule = (value: unknown): value is BrokenRule =>
  isJsonObject(value) && typeof value['field'] === 'string' && typeof value['message'] === 'string';

/** The errors that the service reported, each with its field. */
export function brokenRules(error: unknown): readonly BrokenRule[] {
  const errors = error instanceof ApiError ? error.details['errors'] : undefined;
  return Array.isArray(errors) ? errors.filter(isBrokenRule) : [];
}

type Wrong<Name extends string> = Readonly<Partial<Record<Name, string>>>;

interface FormFaults<Name extends string> {
  /** The errors that the service reported, by field. */
  readonly wrong: Wrong<Name>;
  /** Sends the form. Resolves to `false` for errors of fields; throws all other errors. */
  readonly send: (request: () => Promise<unknown>) => Promise<boolean>;
}

function faultsOf<Name extends string>(error: unknown, names: readonly Name[]): Wrong<Name> | undefined {
  const rules = brokenRules(error).map(({ field, message }) => ({
    name: names.find((name) => field === name || field.startsWith(`${name}.`)),
    message,
  }));
  if (rules.length === 0 || rules.some(({ name }) => name === undefined)) return undefined;
  return Object.fromEntries(rules.map(({ name, message }) => [name, message])) as Wrong<Name>;
}

/** Shows errors of the service beside their fields. The first of these fields gets the focus. */
export function useWrong<Name extends string>(names: readonly Name[]): FormFaults<Name> {
  const [found, setFound] = useState<Wrong<Name>>();
  useEffect(() => {
    if (found) document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
  }, [found]);
  const send = async (request: () => Promise<unknown>) => {
    setFound(undefined);
    try {
      await request();
      return true;
    } catch (error) {
      const faults = faultsOf(error, names);
      if (faults === undefined) throw error;
      setFound(faults);
      return false;
    }
  };
  return { wrong: found ?? ({} as Wrong<Name>), send };
}
