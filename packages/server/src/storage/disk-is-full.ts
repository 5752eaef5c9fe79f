/** Error message for every write while the disk with the database is full. Reads still succeed. */
export const DISK_IS_FULL =
  'The disk of the database is full, so nothing can be stored. Ask the operator of the service to free space, then retry.';
