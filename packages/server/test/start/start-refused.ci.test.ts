import { existsSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, test } from 'vitest';
import { newPort } from '../support/processes/new-port.js';
import {
  newDataFolder,
  newSettings,
  type RunOptions,
  runService,
} from '../support/processes/service-process.js';
import { type Finish, startUntilFinished, takePort } from '../support/processes/start-until-finished.js';

function writeFolder(files: Readonly<Record<string, string>>): string {
  const folder = newDataFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

/** Returns the folder and everything in it; an empty list if the folder does not exist. */
const filesIn = (folder: string): readonly string[] =>
  existsSync(folder) && statSync(folder).isDirectory()
    ? ['.', ...readdirSync(folder, { recursive: true }).map(String)]
    : [];

// Timeout in ms. Processes start slowly when many start at once.
const SLOW = { timeout: 180_000 };
const KEY = Buffer.alloc(32, 1).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 2).toString('hex');

interface Refusal {
  readonly title: string;
  readonly given: (onTestFinished: Finish) => RunOptions | Promise<RunOptions>;
  readonly says: RegExp;
  /** Expected exit code of the refused start. Default: 1. */
  readonly code?: number;
}

// Preloaded script that reports Node.js 20 in `process.versions`, because the service reads the version only from it.
const NODE_20 = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})";

const REFUSALS: readonly Refusal[] = [
  {
    title: 'an outdated Node (S3)',
    given: () => ({ env: { NODE_OPTIONS: `--import ${NODE_20}` } }),
    says: /^svc-server needs Node\.js 22\.18 or later, but this is 20\.20\.2\. Install a newer version\.$/,
  },
  {
    title: 'a root key of another database (K3)',
    given: async (onTestFinished) => {
      const settings = await newSettings({ env: { SVC_ROOT_KEY: KEY } });
      await (await startUntilFinished(settings, onTestFinished)).kill();
      return { env: { ...settings.env, SVC_DATA: settings.data, SVC_ROOT_KEY: OTHER_KEY } };
    },
    says: /^The root key does not belong to .+\. Set SVC_ROOT_KEY to the original key, or restore the original key file\.$/,
  },
  {
    title: 'an invalid root key (K3)',
    given: () => ({ env: { SVC_ROOT_KEY: 'open sesame' } }),
    says: /^SVC_ROOT_KEY is not a root key\. A root key is 32 random bytes .+ with `openssl rand -base64 32`\.$/,
  },
  {
    title: 'a database whose key file is missing (K3)',
    given: async (onTestFinished) => {
      const settings = await newSettings();
      await (await startUntilFinished(settings, onTestFinished)).kill();
      rmSync(path.join(settings.data, 'root.key'));
      return { env: { ...settings.env, SVC_DATA: settings.data } };
    },
    says: /^The root key file .+root\.key does not exist\. Restore the file from a backup\. Or set SVC_ROOT_KEY to .+\.$/,
  },
  {
    title: 'a key file with other content (K3)',
    given: () => ({ env: { SVC_DATA: writeFolder({ 'root.key': 'open sesame' }) } }),
    says: /^Line 1 of the root key file .+root\.key is not a root key\. Restore the file from a backup\. A root key/,
  },
  {
    title: 'a data folder that is a file',
    given: () => ({ env: { SVC_DATA: path.join(writeFolder({ file: '' }), 'file') } }),
    says: /^The data folder .+ is a file\. Set SVC_DATA to a folder\.$/,
  },
  {
    title: 'a data folder that is not writable',
    // Folder of the kernel, in which not even root can create files.
    given: () => ({ env: { SVC_DATA: '/proc/tty' } }),
    says: /^The database file \/proc\/tty.+ cannot be (used|made) .*\. Make it writable.+ set SVC_DATA to another folder\.$/,
  },
  {
    title: 'a file that is no database',
    given: () => ({ env: { SVC_DATA: writeFolder({ 'svc.db': 'Dear diary, '.repeat(99) }) } }),
    says: /^.+svc\.db cannot be used \(file is not a database\)\. .+ set SVC_DATA to another folder\.$/,
  },
  {
    title: 'a database that is damaged',
    given: () => {
      // The lock file stays when a service ends.
      const folder = writeFolder({ 'svc.db.lock': '' });
      const file = path.join(folder, 'svc.db');
      const database = new Sqlite(file);
      for (const name of ['one', 'two', 'three']) database.exec(`CREATE TABLE ${name} (id INTEGER)`);
      database.close();
      truncateSync(file, statSync(file).size / 2);
      return { env: { SVC_DATA: folder } };
    },
    says: /^.+svc\.db cannot be used \(database disk image is malformed\)\. Restore it from a backup, or set/,
  },
  {
    title: 'a database that cannot be opened',
    given: () => ({ env: { SVC_DATA: writeFolder({ 'svc.db/in-its-place': '' }) } }),
    says: /^.+svc\.db cannot be used \(it is a folder\)\. Move the folder, or set/,
  },
  {
    title: 'a port that is in use',
    given: async (onTestFinished) => ({ env: { SVC_PORT: (await takePort(onTestFinished)).port } }),
    says: /^Port \d+ is in use\. Stop the program that uses it, or set SVC_PORT to another port\.$/,
  },
  {
    title: 'a proxy port that is in use',
    given: async (onTestFinished) => ({ env: { SVC_PROXY_PORT: (await takePort(onTestFinished)).port } }),
    says: /^Port \d+ is in use\. Stop the program that uses it, or set SVC_PROXY_PORT to another port\.$/,
  },
  {
    title: 'a sandbox port that is in use',
    given: async (onTestFinished) => {
      const { port } = await takePort(onTestFinished);
      return { flags: ['--sandbox', '--sandbox-port', port] };
    },
    says: /^Port \d+ is in use\. Stop the program that uses it, or set SVC_SANDBOX_PORT to another port\.$/,
  },
  {
    title: 'an address of another machine',
    given: () => ({ env: { SVC_HOST: '192.0.2.1' } }),
    says: /^192\.0\.2\.1 is not an address of this machine\. Set SVC_HOST, for example to 127\.0\.0\.1\.$/,
  },
  {
    title: 'a data folder that another process uses',
    given: async (onTestFinished) => {
      const { data } = await startUntilFinished(
        await newSettings({ env: { DATABASE_URL: '' } }),
        onTestFinished,
      );
      return { env: { SVC_DATA: data } };
    },
    says: /^Another process of the service uses .+svc\.db\. Stop it, set SVC_DATA to another folder, or set DATABASE_URL/,
  },
  {
    title: 'an invalid DATABASE_URL',
    given: () => ({ env: { DATABASE_URL: 'mysql://localhost/svc' } }),
    says: /^DATABASE_URL is not a PostgreSQL URL\. Set it to one such as postgres:.+\.$/,
  },
  {
    title: 'an unreachable database',
    given: () => ({ env: { DATABASE_URL: 'postgres://someone:secret@127.0.0.1:1/svc' } }),
    says: /^The database 127\.0\.0\.1:1\/svc cannot be used \(connect ECONNREFUSED .+\)\. Start it, or set DATABASE_URL/,
  },
  {
    title: 'an unknown flag',
    given: () => ({ flags: ['--colour', 'red'] }),
    says: /^Unknown option '--colour'.* `svc-server --help` lists the options\.$/,
    code: 2,
  },
  {
    title: 'a secret as a flag',
    given: () => ({ flags: ['--root-key', 'hush'] }),
    says: /^--root-key would show a secret to every process of this machine\. Set the variable SVC_ROOT_KEY instead, .+\.$/,
    code: 2,
  },
  {
    title: 'an empty flag',
    given: () => ({ flags: ['--host', ''] }),
    says: /^--host is empty\. Set a value, or omit the option\.$/,
    code: 2,
  },
  {
    title: 'an invalid port',
    given: () => ({ env: { SVC_PORT: 'http' } }),
    says: /^SVC_PORT is "http"\. Set it to a port between 1 and 65535\.$/,
  },
  {
    title: 'an invalid environment URL',
    given: () => ({ env: { SVC_ENVIRONMENT_URL: 'connect.example.com' } }),
    says: /^SVC_ENVIRONMENT_URL is "connect\.example\.com"\. Set it to an absolute URL such as https:/,
  },
  {
    title: 'trusted proxies that include every address',
    given: () => ({ env: { SVC_TRUSTED_PROXIES: '0.0.0.0/0' } }),
    says: /^SVC_TRUSTED_PROXIES contains "0\.0\.0\.0\/0"\. List only IP addresses or networks such as 10\.0\.0\.0\/8, not all addresses \(\/0\)\.$/,
  },
  {
    title: 'an unknown log level',
    given: () => ({ flags: ['--log-level', 'loud'] }),
    says: /^SVC_LOG_LEVEL is "loud"\. Set it to one of trace, debug, info, warn, error, silent\.$/,
  },
  {
    title: 'a first operator password that is too short',
    given: () => ({ env: { SVC_FIRST_OPERATOR_PASSWORD: 'short' } }),
    says: /^SVC_FIRST_OPERATOR_PASSWORD must have 12 to 256 visible ASCII characters\. Change it, or omit it/,
  },
  {
    title: 'a first client secret that is too short',
    given: () => ({ env: { SVC_FIRST_CLIENT_SECRET: 'short' } }),
    says: /^SVC_FIRST_CLIENT_SECRET must have 8 to 256 visible ASCII characters\. Change it, or omit it/,
  },
  {
    title: 'a missing catalogue folder',
    given: () => ({ env: { SVC_CATALOG: '/nowhere/at/all' } }),
    says: /^\/nowhere\/at\/all: whole file: the folder does not exist; create it, or correct the path$/,
  },
];

// Files of Node.js's compile cache are ignored, because a refused start may write them too.
const isCompiled = (file: string) => file.startsWith('compiled/');

describe('a refused start', () => {
  test.concurrent.for(REFUSALS)(
    'prints one sentence with the next step and no stack trace for $title',
    SLOW,
    async ({ given, says, code: expected = 1 }, { expect, onTestFinished }) => {
      const { flags = [], env = {} } = await given(onTestFinished);
      const own = { SVC_PORT: String(await newPort()), SVC_DATA: newDataFolder(), ...env };
      const before = filesIn(own.SVC_DATA);
      const { code, stdout, stderr } = await runService({ flags, env: own }).ended;
      expect({ code, stdout, stderr }).toEqual({
        code: expected,
        stdout: '',
        stderr: expect.stringMatching(/^.+\n$/),
      });
      expect(stderr.trimEnd()).toMatch(says);
      expect(filesIn(own.SVC_DATA).filter((file) => !before.includes(file) && !isCompiled(file))).toEqual([]);
    },
  );
});
