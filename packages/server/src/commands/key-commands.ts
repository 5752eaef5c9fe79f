import type { Core } from '../assembly/core.js';
import { UsageError } from '../config/usage-error.js';
import { ServiceError } from '../errors.js';
import type { Keys, KeysStatus } from '../vault/keys.js';
import type { Reencrypted } from '../vault/reencrypt.js';
import type { Command, CommandInput, CommandOption, CommandResult } from './command.js';
import { createProgress } from './progress.js';
import { formatTable } from './table.js';

const APPLICATION: CommandOption = {
  type: 'string',
  value: 'ID',
  help: 'Id of the application whose data keys to replace; default: all applications',
};
const ROOT: CommandOption = {
  type: 'boolean',
  help: 'Encrypt all data keys with the current root key; with a key file, the command creates a new root key first',
};
const FINISH: CommandOption = {
  type: 'boolean',
  help: 'Finish an interrupted rotation of keys, without creating a new key',
};

const toDate = (time: number): string => new Date(time).toISOString();

const toData = ({ rootKeys, dataKeys }: KeysStatus) => ({
  rootKeys,
  dataKeys: dataKeys.map((key) => ({
    ...key,
    createdAt: toDate(key.createdAt),
    unusedSince: key.unusedSince === null ? null : toDate(key.unusedSince),
  })),
});

type KeysData = ReturnType<typeof toData>;

const dataKeyRow = (key: KeysData['dataKeys'][number]) => ({
  application: key.applicationId,
  generation: String(key.generation),
  'data key': key.id,
  made: key.createdAt,
  values: String(key.values),
  encryptions: String(key.encryptions),
  'unused since': key.unusedSince ?? '',
});

const describeKeys = ({ rootKeys, dataKeys }: KeysData): string =>
  [
    formatTable(
      rootKeys.map(({ id, state, wraps }) => ({ 'root key': id, state, wraps: String(wraps) })),
      'There is no root key yet. The service creates one at its first start.',
    ),
    '',
    formatTable(dataKeys.map(dataKeyRow), 'No application has a data key yet.'),
  ].join('\n');

async function rotateRoot(keys: Keys, makeKey: boolean): Promise<CommandResult> {
  const { rootKeys } = await keys.status();
  const total = rootKeys.reduce((sum, { wraps }) => sum + wraps, 0);
  const progress = createProgress(process.stderr, { title: 'Wrapping keys', total });
  const data = await keys.rotateRootKey({ makeKey, onProgress: progress.add });
  progress.end();
  const removed = data.removed.map((id) => `The root key ${id} is no longer needed and was removed.`);
  return {
    data,
    text: [
      `${data.rewrapped} data keys were encrypted again with the root key ${data.current}.`,
      ...removed,
    ].join('\n'),
  };
}

interface Rotated extends Reencrypted {
  readonly applicationId: string;
}

/**
 * Returns a function that counts the encrypted values of an application that a key rotation re-encrypts. The progress
 * bar needs the total.
 */
async function countValues(keys: Keys, isFinishing: boolean): Promise<(applicationId: string) => number> {
  const { dataKeys } = await keys.status();
  return (applicationId) => {
    const own = dataKeys.filter((key) => key.applicationId === applicationId);
    return (isFinishing ? own.slice(0, -1) : own).reduce((sum, { values }) => sum + values, 0);
  };
}

function checkReadable(rotated: readonly Rotated[]): void {
  const damaged = rotated.filter(({ unreadable }) => unreadable > 0);
  if (damaged.length === 0) return;
  const counts = damaged.map(({ applicationId, unreadable }) => `${unreadable} of ${applicationId}`);
  throw new ServiceError(
    'conflict',
    `Some values cannot be decrypted and keep their old keys (${counts.join(', ')}). All other values have new keys. The rows of these values were changed outside the service, or their keys were deleted. Restore the rows and the keys from a backup.`,
  );
}

/**
 * Returns the ids of the applications whose data keys are rotated: the application of `--application`, or all with a
 * data key.
 */
async function ownersOf(
  { keys, applications }: Core,
  input: CommandInput,
): Promise<AsyncIterable<string> | readonly string[]> {
  const applicationId = input.text('application');
  return applicationId === undefined ? keys.owners() : [(await applications.get(applicationId)).id];
}

async function rotateData(core: Core, input: CommandInput, isFinishing: boolean): Promise<CommandResult> {
  const { keys } = core;
  const owners = await ownersOf(core, input);
  const valuesOf = await countValues(keys, isFinishing);
  const rotate = isFinishing ? keys.finish : keys.rotate;
  const rotated: Rotated[] = [];
  for await (const applicationId of owners) {
    const total = valuesOf(applicationId);
    const progress = createProgress(process.stderr, { title: applicationId, total });
    rotated.push({ applicationId, ...(await rotate(applicationId, progress.add)) });
    progress.end();
  }
  checkReadable(rotated);
  const lines = rotated.map(
    ({ applicationId, values }) =>
      `${applicationId}: ${values} values are now encrypted with its newest key.`,
  );
  const end = 'The service deletes each old key an hour after its last use.';
  return {
    data: { applications: rotated.map(({ applicationId, values }) => ({ applicationId, values })) },
    text: rotated.length === 0 ? 'No application has a data key yet.' : [...lines, end].join('\n'),
  };
}

export const keyCommands: readonly Command[] = [
  {
    name: 'keys status',
    summary: 'List the root keys and data keys, and how many keys or values each one encrypts',
    needsService: 'any',
    run: async ({ core: { keys } }) => {
      const data = toData(await keys.status());
      return { data, text: describeKeys(data) };
    },
  },
  {
    name: 'keys rotate',
    summary: 'Encrypt all values with new data keys, or with --root all data keys with a new root key',
    options: { application: APPLICATION, root: ROOT, finish: FINISH },
    needsService: 'any',
    run: async ({ core }, input) => {
      if (input.has('root') && input.text('application') !== undefined) {
        throw new UsageError('All applications share the root key. Use --root or --application, not both.');
      }
      const isFinishing = input.has('finish');
      return input.has('root') ? rotateRoot(core.keys, !isFinishing) : rotateData(core, input, isFinishing);
    },
  },
];
