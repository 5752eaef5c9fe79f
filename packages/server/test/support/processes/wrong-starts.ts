import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from './new-folder.js';
import type { RunOptions } from './service-process.js';

export interface Wrong {
  /** Name of the check that refuses the start. */
  readonly name: string;
  readonly given: (data: string) => RunOptions;
  readonly says: RegExp;
}

/** Environment variables of a minimal service that production accepts. */
export const SECURE = {
  SVC_PRODUCTION: '1',
  SVC_ENVIRONMENT_URL: 'https://connect.example.com',
  SVC_ROOT_KEY: Buffer.alloc(32, 7).toString('base64'),
};
const SECRET = randomBytes(32).toString('base64url');

/** Writes a file with this mode into a new folder, and returns its path. */
export function newFile(text: string, mode: number, name = 'file'): string {
  const file = path.join(newFolder(), name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

function makeFolder(folder: string, mode: number): string {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, mode);
  return folder;
}

/** Settings that production refuses, each combined with otherwise valid settings. */
export const WRONGS: readonly Wrong[] = [
  {
    name: 'the sandbox',
    given: () => ({ flags: ['--sandbox'] }),
    says: /^--sandbox starts emulators .+\. Start without this option\.$/,
  },
  {
    name: 'an environment URL without TLS',
    given: () => ({ env: { SVC_ENVIRONMENT_URL: 'HTTP://connect.example.com' } }),
    says: /^SVC_ENVIRONMENT_URL is http:.+, without TLS\. Put TLS in front .+ https URL that users see\.$/,
  },
  ...['http://proxy.example.com', 'http://localhost:4402'].map((url) => ({
    name: 'a proxy URL without TLS',
    given: () => ({ env: { SVC_PROXY_URL: url } }),
    says: /^SVC_PROXY_URL is http:.+, without TLS\. Put TLS in front .+ https URL that clients use\.$/,
  })),
  {
    name: 'a public host without TLS',
    given: () => ({ env: { SVC_HOST: '0.0.0.0', SVC_ENVIRONMENT_URL: 'HTTP://connect.example.com' } }),
    says: /^SVC_HOST is 0\.0\.0\.0, .+ Set SVC_ENVIRONMENT_URL to an https URL, or SVC_HOST to 127\.0\.0\.1\.$/,
  },
  {
    name: 'an environment URL on another port of this machine',
    given: () => ({ env: { SVC_ENVIRONMENT_URL: 'http://localhost:9' } }),
    says: /^SVC_ENVIRONMENT_URL is http:\/\/localhost:9, but the service listens on port \d+\. .+ or use port \d+ in it\.$/,
  },
  ...[
    'https://localhost:9000',
    'https://127.0.0.1',
    'https://2130706433',
    'https://10.1.2.3:8443',
    'https://192.168.0.1',
    'https://169.254.169.254',
    'https://100.100.100.200',
    'https://168.63.129.16',
    'https://[fd00:ec2::254]',
    'https://[::ffff:169.254.169.254]',
    'https://[fe80::1]',
    'https://metadata.google.internal.',
    'https://METADATA',
    'https://api.localhost',
  ].map((origin) => ({
    name: 'a listed origin inside the network',
    given: () => ({ env: { SVC_ALLOWED_ORIGINS: `calendar=${origin},video=${origin}` } }),
    says: /^SVC_ALLOWED_ORIGINS lists .+, an address of this machine, its network or its cloud\. Remove this origin\.$/,
  })),
  {
    name: 'a listed origin without TLS',
    given: () => ({ env: { SVC_ALLOWED_ORIGINS: 'calendar=http://up.example.com' } }),
    says: /^SVC_ALLOWED_ORIGINS lists http:\/\/up\.example\.com, .+\. List its https origin instead\.$/,
  },
  ...['128.0.0.0/1', '2000::/3', '::ffff:0.0.0.0/96'].map((network) => ({
    name: 'a trusted network of all addresses',
    given: () => ({ env: { SVC_TRUSTED_PROXIES: `10.0.0.0/8,${network}` } }),
    says: /^SVC_TRUSTED_PROXIES trusts [0-9a-f:./]+, so any caller could forge .+\. List only your reverse proxies\.$/,
  })),
  ...['52.0.0.0/8', '2a00::/16'].map((network) => ({
    name: 'a wide trusted network',
    given: () => ({ env: { SVC_TRUSTED_PROXIES: `fd00::/8,${network}` } }),
    says: /^SVC_TRUSTED_PROXIES trusts [0-9a-f:./]+, a very wide public network\. List only your reverse proxies\.$/,
  })),
  ...['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'].map((name) => ({
    name: 'an egress proxy',
    given: () => ({ env: { [name]: 'http://ada:hush@proxy.example.com:3128' } }),
    says: /^(HTTPS?|ALL)_PROXY is set, so the proxy proxy\.example\.com:3128 resolves upstream hosts /,
  })),
  {
    name: 'metrics that other machines can read',
    given: () => ({ env: { SVC_HOST: '0.0.0.0', SVC_METRICS_PORT: '9464' } }),
    says: /^SVC_METRICS_PORT serves metrics on 0\.0\.0\.0 without a token\. Keep port 9464 .+ set SVC_METRICS_TOKEN\.$/,
  },
  {
    name: 'a metrics token that can be guessed',
    given: () => ({ env: { SVC_METRICS_TOKEN: 'aaaaaaaaaaaaaaaab' } }),
    says: /^SVC_METRICS_TOKEN can be guessed\. Set it to the output of `openssl rand -base64 32`\.$/,
  },
  {
    name: 'a missing root key',
    given: () => ({ env: { SVC_ROOT_KEY: '' } }),
    says: /^SVC_ROOT_KEY is not set, .+\. Set it, preferably to a key of a key service\.$/,
  },
  {
    name: 'a root key beside the data',
    given: () => {
      const SVC_DATA = path.dirname(newFile(SECURE.SVC_ROOT_KEY, 0o600, 'root.key'));
      return { env: { SVC_ROOT_KEY: '', SVC_DATA } };
    },
    says: /^The root key is next to the data, .+ Move .+root\.key out of the folder, and set SVC_ROOT_KEY=file:.+\.$/,
  },
  ...[0o777, 0o750, 0o705].map((mode) => ({
    name: 'a data folder that is open to others',
    given: (data: string) => ({ env: { SVC_DATA: makeFolder(data, mode) } }),
    says: /^.+ has the mode 07\d\d, so other users can access it\. Run `chmod go-rwx .+`, .+\.$/,
  })),
  {
    name: 'a data folder that is open to others',
    given: () => ({ env: { SVC_DATA: newFile('', 0o644) } }),
    says: /^The data folder .+ is a file\. Set SVC_DATA to a folder\.$/,
  },
  {
    name: 'a data folder that is open to others',
    given: () => ({ env: { SVC_DATA: path.dirname(newFile('', 0o644, 'svc.db')) } }),
    says: /^.+svc\.db has the mode 0644, so other users can access it\. Run `chmod go-rwx .+svc\.db`, .+\.$/,
  },
  ...[0o666, 0o640].map((mode) => ({
    name: 'a key or secret file that is open to others',
    given: () => ({ env: { SVC_ROOT_KEY: `file:${newFile(SECURE.SVC_ROOT_KEY, mode)}` } }),
    says: /^.+file has the mode 06\d\d, so other users can access it\. Run `chmod go-rwx .+`, and replace its secrets .+\.$/,
  })),
  {
    name: 'a key or secret file that is open to others',
    given: () => ({ env: { SVC_FIRST_CLIENT_SECRET: `file:${newFile(SECRET, 0o604)}` } }),
    says: /^.+file has the mode 0604, so other users can access it\. Run `chmod go-rwx .+`, and replace .+\.$/,
  },
  {
    name: 'a catalogue that others may write',
    given: () => ({ env: { SVC_CATALOG: makeFolder(path.join(newFolder(), 'own'), 0o777) } }),
    says: /^.+own has the mode 0777, so other users can change it\. Run `chmod go-w .+own`, .+\.$/,
  },
  {
    name: 'a misspelt setting',
    given: () => ({ env: { SVC_KEEP_EXECUTION: '3' } }),
    says: /^SVC_KEEP_EXECUTION is not a setting of the service, so it has no effect\. Rename it to SVC_KEEP_EXECUTIONS, or remove it\.$/,
  },
  {
    name: 'first secrets that are still in a file',
    given: () => ({ env: { SVC_DATA: path.dirname(newFile('', 0o600, 'first-secrets')) } }),
    says: /^.+first-secrets still contains the secrets of the first start\. Copy them to a safe place and delete the file\.$/,
  },
  ...['a'.repeat(256), 'secret-of-the-test'].map((secret) => ({
    name: 'a client secret that can be guessed',
    given: () => ({ env: { SVC_FIRST_CLIENT_SECRET: secret } }),
    says: /^SVC_FIRST_CLIENT_SECRET can be guessed\. Set it to the output of `openssl .+`, or omit it/,
  })),
  ...['passwordpassword', 'aaaaaaaaaaaaaaaaaaaaaaaa', 'Summer-2026!'].map((password) => ({
    name: 'an operator password that can be guessed',
    given: () => ({ env: { SVC_FIRST_OPERATOR_PASSWORD: password } }),
    says: /^SVC_FIRST_OPERATOR_PASSWORD can be guessed\. Set a longer .+, or omit it/,
  })),
  ...['', '?sslmode=disable', '?sslmode=no-verify', '?uselibpqcompat=true&sslmode=require'].map((query) => ({
    name: 'a database across the network without TLS',
    given: () => ({ env: { DATABASE_URL: `postgres://me:hush@192.0.2.1/svc${query}` } }),
    says: /^DATABASE_URL connects to 192\.0\.2\.1 without verifying its certificate\. Add \?sslmode=verify-full to the URL\.$/,
  })),
  {
    name: 'certificates that are not verified',
    given: () => ({ env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } }),
    says: /^NODE_TLS_REJECT_UNAUTHORIZED is 0, .+\. Unset it, and list your own authorities in NODE_EXTRA_CA_CERTS\.$/,
  },
  // Node.js removes quotes and treats underscores as dashes, so the check must recognize these spellings.
  ...[
    '"--insecure_http_parser"',
    '--insecure-http-parser',
    '--tls-min-v1.0',
    '--tls_keylog=/dev/null',
    '--inspect=127.0.0.1:0',
    '"--inspect=127.0.0.1:0"',
  ].map((option) => ({
    name: 'options of Node.js that weaken security',
    given: () => ({ env: { NODE_OPTIONS: `--max-old-space-size=512 ${option}` } }),
    says: /^Node\.js runs with --[a-z0-9.-]+, which weakens its security\. Start without this option\.$/,
  })),
  {
    name: 'traces of Node.js',
    given: () => ({ env: { NODE_DEBUG: 'nothing-that-exists' } }),
    says: /^NODE_DEBUG or NODE_DEBUG_NATIVE is set and prints requests with their secrets\. Unset both\.$/,
  },
];
