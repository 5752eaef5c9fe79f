/** An error response of an emulated service. The type of `details` differs by service. */
export class Refusal<Details = undefined> extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Details | undefined;

  constructor(status: number, code: string, message: string, details?: Details) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export function existing<Value>(value: Value | undefined, refuse: () => Refusal<unknown>): Value {
  if (value === undefined) throw refuse();
  return value;
}
