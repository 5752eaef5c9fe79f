/** A standing order for one type of report. */
export interface Job {
  readonly id: string;
  /** The channel or content owner that it belongs to. */
  readonly owner: string;
  readonly reportTypeId: string;
  readonly name: string;
  readonly createdAt: number;
  readonly isSystemManaged: boolean;
}
