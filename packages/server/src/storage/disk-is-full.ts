/** Error message for every write while the disk of the database is full. Reads still succeed. */
export const DISK_IS_FULL =
  'The disk of the database is full. Nothing can be stored until its operator makes room on it.';
